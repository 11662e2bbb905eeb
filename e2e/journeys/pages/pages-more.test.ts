// @module-tag release
import { checkPages } from '#e2e/harness/check-pages.ts'
import { stage } from '#e2e/harness/stage.ts'

const { page } = stage()

// The other half of the pages, so that two browsers share the work.
checkPages({ page, half: 1 })
