import { payment } from '../../api/payment.ts'
import { show } from '../../cli/result.ts'
import { paymentView } from '../../views/payment.ts'

/** How every command of payments shows one. */
export const showPayment = show(payment, paymentView)
