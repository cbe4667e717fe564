import { call } from '../../page/service.ts'
import { announce } from '../parts/announcement.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/states.tsx'
import { useSubmit } from '../parts/use-submit.ts'

/** An entry of `GET /sandbox/instruments`. */
export interface SavedMethod {
  readonly token: string
  readonly customerId: string
  readonly description: string
  readonly paymentMethodType: string
  readonly default: boolean
  readonly isVerified: boolean
  readonly createdAt: string
}

export type MethodAction = 'default' | 'delete'

interface MethodDialogProps {
  readonly action: MethodAction
  readonly method: SavedMethod
  readonly onClose: () => void
}

/** Asks before it changes a saved method. */
export function MethodDialog({ action, method, onClose }: MethodDialogProps) {
  const { isBusy, error, submit } = useSubmit()
  const { title, question, button, done } = wordsFor(action, method)
  const confirm = async () => {
    const path = `/payment-instruments/${encodeURIComponent(method.token)}`
    if (action === 'default') await call('POST', `${path}/default`)
    else await call('DELETE', path)
    announce(done)
    onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBusy={isBusy}
      confirm={{ label: button, act: () => submit(confirm) }}
    >
      <p>{question}</p>
      {error === undefined ? null : <Failure error={error} />}
    </Dialog>
  )
}

const wordsFor = (action: MethodAction, { description, customerId }: SavedMethod) =>
  action === 'default'
    ? {
        title: `Make ${description} the default`,
        question: `Later payments of customer ${customerId} use it unless they name another method.`,
        button: 'Make default',
        done: `${description} is the default of ${customerId}.`,
      }
    : {
        title: `Delete ${description}`,
        question: `Customer ${customerId} won't be able to pay with it again. You can't undo this.`,
        button: 'Delete',
        done: `${description} of ${customerId} is deleted.`,
      }
