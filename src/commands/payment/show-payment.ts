import { payment } from '../../api/models/payment.ts'
import { show } from '../../cli/command/result.ts'
import { paymentView } from '../../views/payment/payment.ts'

/** How every command of payments shows one. */
export const showPayment = show(payment, paymentView)
