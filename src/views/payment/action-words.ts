/** What an action on a payment asks and does, for the terminal and the dashboard. */
interface ActionWords {
  /** The question before it is sent, without its question mark. `what` is an amount or a processor. */
  readonly question: (id: string, what?: string) => string
  readonly consequence: string
}

export const ACTION_WORDS = {
  capture: {
    question: (id, amount) => `Capture ${amount ?? 'all that is left'} of payment ${id}`,
    consequence: "Charges the customer. You can't undo this",
  },
  refund: {
    question: (id, amount) => `Refund ${amount ?? 'all that is left'} of payment ${id}`,
    consequence: "Returns money to the customer. You can't undo this",
  },
  adjust: {
    question: (id, amount) => `Change the authorization of payment ${id} to ${amount ?? 'that amount'}`,
    consequence:
      "Changes the amount reserved at the customer's bank. You can adjust it again until the capture",
  },
  cancel: {
    question: (id) => `Cancel payment ${id}`,
    consequence: "Releases the authorization. You can't undo this; the customer must pay again",
  },
  authorize: {
    question: (id, processor) => `Authorize payment ${id} through ${processor ?? ''}`,
    consequence: 'Reserves the amount through this processor; charges nothing before a capture',
  },
  resume: {
    question: (id) => `Resume payment ${id}`,
    consequence: 'Continues the payment: its amount is reserved, or charged immediately',
  },
} as const satisfies Readonly<Record<string, ActionWords>>
