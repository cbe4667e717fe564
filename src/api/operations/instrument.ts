import {
  defaultInstrument,
  instrument,
  instrumentList,
  listInstrumentsQuery,
  vaultRequest,
} from '../models/instrument.ts'
import { INSTRUMENT_FACTS } from '../facts/instrument.ts'
import type { Operation } from '../operation.ts'

export const listInstruments = {
  ...INSTRUMENT_FACTS['instrument.list'],
  query: listInstrumentsQuery,
  response: instrumentList,
} as const satisfies Operation

export const setDefaultInstrument = {
  ...INSTRUMENT_FACTS['instrument.default'],
  response: defaultInstrument,
} as const satisfies Operation

export const deleteInstrument = {
  ...INSTRUMENT_FACTS['instrument.delete'],
  response: instrument,
} as const satisfies Operation

export const vaultInstrument = {
  ...INSTRUMENT_FACTS['instrument.vault'],
  request: vaultRequest,
  addedIn21: ['verify'],
  response: instrument,
} as const satisfies Operation
