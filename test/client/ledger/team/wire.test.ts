import { describeCutWire } from './cut-wire.ts'

describeCutWire(2)
