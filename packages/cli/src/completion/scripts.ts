import type { Command, Option } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A command with the words that may follow it, for completion. */
interface Node {
  /** The words of the command, without the program's name. */
  readonly path: readonly string[]
  readonly commands: readonly { readonly name: string; readonly does: string }[]
  readonly options: readonly { readonly flag: string; readonly does: string }[]
}

/** A shell script that completes commands and options. It is generated from the commands. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = collect(program, [], optionsOf(program))
  switch (shell) {
    case 'bash':
      return bashScript(program.name(), nodes)
    case 'zsh':
      return zshScript(program.name(), nodes)
    case 'fish':
      return fishScript(program.name(), nodes)
  }
}

const described = (text: string): string => text.split('\n')[0] ?? ''

const optionsOf = ({ options }: Command) => options.filter((option) => !option.hidden).map(flagOf)

const flagOf = ({ long, short, description }: Option) => ({
  flag: long ?? short ?? '',
  does: described(description),
})

function collect(command: Command, path: readonly string[], shared: Node['options']): Node[] {
  const own = path.length === 0 ? [] : optionsOf(command)
  const node: Node = {
    path,
    commands: command.commands.map((one) => ({
      name: one.name(),
      does: described(one.description()),
    })),
    options: [...own, ...shared, { flag: '--help', does: 'Show help.' }],
  }
  return [node, ...command.commands.flatMap((one) => collect(one, [...path, one.name()], shared))]
}

const wordsOf = ({ commands, options }: Node): string =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ')

/**
 * The words typed so far, without options, select the command. For a command without further words, the script
 * completes file names.
 */
function bashScript(name: string, nodes: readonly Node[]): string {
  const cases = nodes.map((node) => `    '${node.path.join(' ')}') words='${wordsOf(node)}' ;;`)
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${nodes
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      '${path.join(' ')}') path='${path.join(' ')}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`
}

const zshQuoted = (text: string): string => text.replaceAll("'", '').replaceAll(':', ' -')

function zshScript(name: string, nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, commands, options }) => {
    const all = [
      ...commands.map((one) => `'${one.name}:${zshQuoted(one.does)}'`),
      ...options.map(({ flag, does }) => `'${flag}:${zshQuoted(does)}'`),
    ]
    return `    '${path.join(' ')}') entries=(${all.join(' ')}) ;;`
  })
  return `#compdef ${name}
_${name}() {
  local path_so_far='' word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${path_so_far:+$path_so_far }$word" in
${nodes
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      '${path.join(' ')}') path_so_far='${path.join(' ')}' ;;`)
  .join('\n')}
    esac
  done
  case "$path_so_far" in
${cases.join('\n')}
  esac
  _describe '${name}' entries || _files
}
compdef _${name} ${name}
`
}

function fishScript(name: string, nodes: readonly Node[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
    const next = commands.map((one) => one.name)
    const unseen = next.length > 0 ? [`not __fish_seen_subcommand_from ${next.join(' ')}`] : []
    const here = [...seen, ...unseen].join('; and ')
    const condition = here === '' ? '' : ` -n ${quoted(here)}`
    return [
      ...commands.map(
        (one) => `complete -c ${name} -f${condition} -a ${one.name} -d ${quoted(one.does)}`,
      ),
      ...options.map(
        ({ flag, does }) =>
          `complete -c ${name}${condition} -l ${flag.slice(2)} -d ${quoted(does)}`,
      ),
    ]
  })
  return `${lines.join('\n')}\n`
}
