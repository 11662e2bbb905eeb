import { proveViews } from '#e2e/harness/prove-views.ts'
import { stage } from '#e2e/harness/stage.ts'

const { page } = stage()

proveViews({ page, half: 0 })
