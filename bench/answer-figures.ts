// Measures only questionnaires: `npm run answer-figures`. Nothing else should run at the same time.
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { measureAnswers } from './measure-answers.ts'
import { measureQuestions } from './measure-questions.ts'
import { startProduct } from './product.ts'

const home = resolve('.forecourt-bench-answers')
await rm(home, { recursive: true, force: true })
try {
  const product = await startProduct(home)
  try {
    // Printed one by one, so that a failure loses nothing.
    for (const measure of [measureQuestions, () => measureAnswers(product)]) {
      // oxlint-disable-next-line no-await-in-loop
      const { what, measured, comparison, ratio } = await measure()
      console.log(`| ${what} | ${measured} | ${comparison} | ${ratio} |`)
    }
  } finally {
    await product.stop()
  }
} finally {
  await rm(home, { recursive: true, force: true })
}
