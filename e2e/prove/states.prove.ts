import { proveStates } from '#e2e/harness/prove-states.ts'
import { stage } from '#e2e/harness/stage.ts'

const { page } = stage()

proveStates({ page, half: 0 })
