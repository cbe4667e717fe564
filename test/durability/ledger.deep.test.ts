import { describePowerCuts } from './ledger-power-cuts.ts'

describePowerCuts((cuts) => cuts)
