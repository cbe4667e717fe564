import { useSignal } from '@preact/signals'
import { keyQuestion } from '../page/service.ts'
import type { KeyQuestion } from '../page/service.ts'
import { Dialog } from './parts/dialog.tsx'
import { TextField } from './parts/fields.tsx'

/** Asks for a key where the sandbox refuses the published one. */
export function KeyDialog() {
  const question = keyQuestion.value
  return question === undefined ? null : <Form question={question} />
}

function Form({ question: { wasRefused, answer } }: { readonly question: KeyQuestion }) {
  const key = useSignal('')
  return (
    <Dialog title="API key" onClose={() => answer(undefined)}>
      <p>
        This sandbox has its own keys. `pay sandbox start` printed them. The page keeps the key until you
        reload it.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (key.value.trim() !== '') answer(key.value.trim())
        }}
      >
        <TextField
          label="API key"
          type="password"
          value={key.value}
          onChange={(value) => (key.value = value)}
          problem={wasRefused ? 'The sandbox refused this key.' : undefined}
          isFirst
          isRequired
        />
        <div class="buttons">
          <button type="submit" class="primary">
            Use key
          </button>
          <button type="button" onClick={() => answer(undefined)}>
            Back
          </button>
        </div>
      </form>
    </Dialog>
  )
}
