import { checkPages } from '#e2e/harness/check-pages.ts'
import { stage } from '#e2e/harness/stage.ts'

const { page } = stage()

checkPages({ page, half: 0 })
