export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * The completion script of each shell. Scripts contain no commands and never go stale, since they ask `pay __complete`.
 * `command pay` runs the program on the PATH, even if an alias or a folder has the same name.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: String.raw`# Completion of pay for bash. In ~/.bashrc: eval "$(pay completion bash)"
_pay_completion() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default -o filenames 2>/dev/null ;;
      :folders) compopt -o dirnames -o filenames 2>/dev/null ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <(command pay __complete bash "$COMP_WORDBREAKS" "${'$'}{COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
}
complete -F _pay_completion pay payctl
`,
  zsh: String.raw`#compdef pay payctl
# Completion of pay for zsh. In ~/.zshrc: eval "$(pay completion zsh)"
_pay() {
  local -a before answer shown
  local line value about
  before=("${'$'}{(@Q)words[2,CURRENT-1]}")
  (( CURRENT > 2 )) || before=()
  answer=("${'$'}{(@f)$(command pay __complete zsh ":$PREFIX" "${'$'}{before[@]}" 2>/dev/null </dev/null)}")
  for line in "${'$'}{answer[@]}"; do
    case "$line" in
      ('') ;;
      (:files) [[ $PREFIX == --*=* ]] && compset -P '--*='; _files; return ;;
      (:folders) [[ $PREFIX == --*=* ]] && compset -P '--*='; _files -/; return ;;
      (*)
        value="${'$'}{line%%$'\t'*}"
        about=
        [[ $line == *$'\t'* ]] && about="${'$'}{line#*$'\t'}"
        value="${'$'}{value//\\/\\\\}"
        value="${'$'}{value//:/\\:}"
        shown+=("$value${'$'}{about:+:$about}") ;;
    esac
  done
  _describe -V pay shown
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _pay "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
  compdef _pay pay payctl
fi
`,
  fish: String.raw`# Completion of pay for fish. pay completion fish > ~/.config/fish/completions/pay.fish
function __pay_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    test -n "$current"; or set current ''
    for line in (command pay __complete fish ":$current" $before 2>/dev/null </dev/null)
        switch $line
            case :files
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
            case :folders
                __fish_complete_directories (string replace -r '^--[^=]*=' '' -- "$current")
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c pay -e
complete -c payctl -e
complete -c pay -f -k -a '(__pay_complete)'
complete -c payctl -f -k -a '(__pay_complete)'
`,
  powershell: String.raw`# Completion of pay for PowerShell. In $PROFILE: pay completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'pay', 'payctl' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements |
    Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
  $program = Get-Command pay -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
  if ($null -eq $program) { return }
  & $program __complete powershell ":$wordToComplete" @before 2>$null | ForEach-Object {
    if ($_ -eq ':files' -or $_ -eq ':folders') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    } else {
      $quoted, $value, $about = $_ -split [char]9, 3
      if (-not $about) { $about = $value }
      [System.Management.Automation.CompletionResult]::new($quoted, $value, 'ParameterValue', $about)
    }
  }
}
`,
}

/** The command line that installs completion permanently. */
export const INSTALL: Readonly<Record<Shell, string>> = {
  bash: `echo 'eval "$(pay completion bash)"' >> ~/.bashrc`,
  zsh: `echo 'eval "$(pay completion zsh)"' >> ~/.zshrc`,
  fish: 'mkdir -p ~/.config/fish/completions && pay completion fish > ~/.config/fish/completions/pay.fish',
  powershell: `New-Item -Type Directory -Force (Split-Path $PROFILE) | Out-Null; Add-Content $PROFILE 'pay completion powershell | Out-String | Invoke-Expression'`,
}
