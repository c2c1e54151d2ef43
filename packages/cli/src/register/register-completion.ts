import { Argument, type Command } from 'commander'
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts'

const HELP = `
Examples:
  bash: sotto completion bash > ~/.local/share/bash-completion/completions/sotto
  zsh:  sotto completion zsh > ~/.zfunc/_sotto        (a folder of fpath)
  fish: sotto completion fish > ~/.config/fish/completions/sotto.fish`

/** `completion`: prints a script for a shell. */
export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .description('Print a script that completes commands and options.')
    .addHelpText('after', HELP)
    .action((shell: Shell) => void process.stdout.write(completionScript(program, shell)))
}
