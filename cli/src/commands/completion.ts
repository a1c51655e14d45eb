import { candidatesFor } from '../complete.ts'
import { misused } from '../failure.ts'
import { withExamples } from '../program.ts'
import type { Define } from '../table.ts'

// The shells ask `lodgeway completion --words …` for what may come next, so that the definitions of the commands are the
// only source.

const SCRIPTS: Readonly<Record<string, string>> = {
  // In bash `=` and `:` end a word; what is offered is cut accordingly.
  bash: `_lodgeway() {
  local line words cword cur candidates
  if declare -F _get_comp_words_by_ref > /dev/null; then _get_comp_words_by_ref -n =: words cword cur
  else words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; fi
  mapfile -t candidates < <(lodgeway completion --words "\${words[@]:1:cword}" 2> /dev/null | cut -f 1)
  COMPREPLY=("\${candidates[@]}")
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  if declare -F __ltrim_colon_completions > /dev/null; then __ltrim_colon_completions "$cur"; fi
}
complete -o default -F _lodgeway lodgeway
`,
  zsh: `#compdef lodgeway
_lodgeway() {
  local -a candidates plain
  local line
  while IFS=$'\\t' read -r word about; do
    if [[ $word == *= ]]; then plain+=("$word"); else candidates+=("\${word//:/\\\\:}:$about"); fi
  done < <(lodgeway completion --words "\${(@)words[2,CURRENT]}" 2> /dev/null)
  (( $#candidates )) && _describe 'lodgeway' candidates
  (( $#plain )) && compadd -S '' -- $plain
  (( $#candidates + $#plain )) || _files
}
compdef _lodgeway lodgeway
`,
  fish: `complete -c lodgeway -f -a '(lodgeway completion --words (commandline -opc)[2..-1] (commandline -ct) 2> /dev/null)'
`,
}

const ABOUT_MAX = 60

export const define: Define = (command, run, program) => {
  command
    .description(
      'Prints a script that lets a shell complete commands, options, profiles, operations and their parameters.',
    )
    .argument('[shell]', 'bash, zsh or fish')
    .argument('[words...]')
    .option('--words', 'for the scripts: print what may come next after these words')
    .passThroughOptions()
  withExamples(command, [
    ['eval "$(lodgeway completion bash)"', 'in ~/.bashrc'],
    ['source <(lodgeway completion zsh)', 'in ~/.zshrc, after compinit'],
    ['lodgeway completion fish > ~/.config/fish/completions/lodgeway.fish', ''],
  ]).action(
    run(async ({ terminal }, shell: string | undefined, words: string[], options: { words?: boolean }) => {
      if (options.words) {
        const candidates = await candidatesFor(program, shell === undefined ? [''] : [shell, ...words])
        const lines = candidates.map(({ word, about }) => `${word}\t${about.split('\n')[0]?.slice(0, ABOUT_MAX)}\n`)
        return void terminal.stdout.write(lines.join(''))
      }
      const script = SCRIPTS[shell ?? '']
      if (!script) throw misused('Name a shell: bash, zsh or fish.')
      terminal.stdout.write(script)
    }),
  )
}
