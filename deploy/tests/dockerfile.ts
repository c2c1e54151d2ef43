import { parseWhole } from '../../packages/protocol/index.ts'
import { DockerfileParser, type Copy } from 'dockerfile-ast'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'

export const DOCKERFILE = path.join(repositoryRoot, 'deploy/Dockerfile')

/** A COPY instruction of the last stage: its source stage, source path and destination. */
export interface StageCopy {
  readonly stage: string
  readonly source: string
  readonly target: string
}

export interface MadeFolder {
  readonly owner: string
  readonly mode: string
}

export interface FinalStage {
  readonly workdir: string
  readonly copies: readonly StageCopy[]
  readonly environment: Readonly<Record<string, string>>
  readonly user: string | undefined
  /** Folders that the image creates empty, by path. */
  readonly folders: Readonly<Record<string, MadeFolder>>
  readonly ports: readonly number[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

/** The parts of the image, as the Dockerfile describes them. */
export function readFinalStage(text = readFileSync(DOCKERFILE, 'utf8')): FinalStage {
  const instructions = DockerfileParser.parse(text).getInstructions()
  const start = instructions.map((one) => one.getKeyword()).lastIndexOf('FROM')
  const stage = instructions.slice(start)
  const of = (keyword: string) => stage.filter((one) => one.getKeyword() === keyword)
  const words = (keyword: string) =>
    of(keyword).flatMap((one) => one.getArguments().map((word) => word.getValue()))
  const workdir = words('WORKDIR').at(-1) ?? '/'
  return {
    workdir,
    copies: of('COPY').map((one) => copyOf(one as Copy, workdir)),
    environment: Object.fromEntries(words('ENV').map((word) => splitAt(word, '='))),
    user: words('USER').at(-1),
    folders: Object.fromEntries(
      of('RUN').flatMap((one) => madeFolder(one.getRawArgumentsContent())),
    ),
    ports: words('EXPOSE').map(parseWhole),
    entrypoint: execForm(words('ENTRYPOINT')),
    command: execForm(words('CMD')),
    healthcheck: execForm(words('HEALTHCHECK').slice(words('HEALTHCHECK').indexOf('CMD') + 1)),
  }
}

function copyOf(copy: Copy, workdir: string): StageCopy {
  const stage = copy.getFromFlag()?.getValue()
  const [source, target, ...more] = copy
    .getArguments()
    .filter((word) => !word.getValue().startsWith('--'))
    .map((word) => word.getValue())
  if (
    typeof stage !== 'string' ||
    source === undefined ||
    target === undefined ||
    more.length > 0
  ) {
    throw new Error(`the last stage must copy only one path from another stage: ${copy.toString()}`)
  }
  return { stage, source, target: path.posix.join(workdir, target) }
}

const INSTALL = /^install --directory --owner=(\S+) --group=(\S+) --mode=(\S+) (\S+)$/

/** The folder that a RUN instruction creates; empty if the instruction runs another command. */
function madeFolder(command: string | null): [string, MadeFolder][] {
  const [, owner, group, mode, target] = INSTALL.exec(command ?? '') ?? []
  return target === undefined ? [] : [[target, { owner: `${owner}:${group}`, mode: `${mode}` }]]
}

const splitAt = (text: string, mark: string): [string, string] => {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Splits the exec form of a command, such as `["a", "b"]`, into its words. */
const execForm = (words: readonly string[]): string[] => {
  const text = words.join(' ')
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : []
}
