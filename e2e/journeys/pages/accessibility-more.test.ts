import { lookAtEveryView } from '#e2e/harness/look-at-every-view.ts'
import { stage } from '#e2e/harness/stage.ts'

const { visitor, product } = stage()

// The other half of the views, so that two browsers share the work.
lookAtEveryView({ visitor, product, half: 1 })
