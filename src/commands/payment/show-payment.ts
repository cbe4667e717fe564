import { payment } from '../../api/models/payment.ts'
import { show } from '../../cli/command/result.ts'
import { paymentView } from '../../views/payment/payment.ts'

/** How every payment command shows the response. */
export const showPayment = show(payment, paymentView)
