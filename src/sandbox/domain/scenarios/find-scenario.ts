import { PAYMENT_SCENARIOS } from './payment-scenarios.ts'
import type { PaymentScenario } from './scenario.ts'

const BY_TOKEN = new Map(PAYMENT_SCENARIOS.map((scenario) => [scenario.token, scenario]))

export const scenarioOfToken = (token: string): PaymentScenario | undefined => BY_TOKEN.get(token)

export const scenarioOfCard = (digits: string): PaymentScenario | undefined =>
  PAYMENT_SCENARIOS.find((scenario) => scenario.card === digits)
