import { lookAtEveryView } from './look-at-every-view.ts'
import { stage } from './stage.ts'

const { visitor } = stage()

// A phone whose script runs the other way.
lookAtEveryView({ visitor, sight: { width: 390, direction: 'rtl' } })
