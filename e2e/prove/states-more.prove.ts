import { proveStates } from '#e2e/harness/prove-states.ts'
import { stage } from '#e2e/harness/stage.ts'

const { page } = stage()

// The other half of the calls, so that two browsers share the work.
proveStates({ page, half: 1 })
