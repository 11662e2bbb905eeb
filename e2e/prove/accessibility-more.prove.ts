import { proveViews } from '#e2e/harness/prove-views.ts'
import { stage } from '#e2e/harness/stage.ts'

const { page } = stage()

// The other half of the views, so that two browsers share the work.
proveViews({ page, half: 1 })
