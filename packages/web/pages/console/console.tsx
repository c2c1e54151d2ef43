import { render } from 'preact'
import { App } from './views/app.tsx'

const root = document.getElementById('page')
if (root === null) throw new Error('the page has no root')
render(<App />, root)
