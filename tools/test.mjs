// `npm test`: everything, ending with `N passed, N failed`.
import { existsSync } from 'node:fs'
import { quickSteps, unitStep } from './check-steps.mjs'
import { findChromium } from './chromium.mjs'
import { buildWeb, prepare, runCommand } from './setup.mjs'
import { conclude, runSteps, suiteStep } from './steps.mjs'

await runCommand(async () => {
  const node = await prepare()
  const quick = await runSteps(quickSteps(node), { atOnce: 2 })
  const suites = await runSteps([unitStep(node), ...apiSteps(node), buildStep(node), browserStep(node)], {
    atOnce: 1,
  })
  conclude(quick, suites)
})

/** On the built-in PostgreSQL, and on the oldest one we support with an owner who is no superuser. */
function apiSteps(node) {
  const builtIn = suiteStep({ name: 'API tests', node, project: 'api' })
  if (!existsSync('/usr/lib/postgresql/15/bin/postgres')) {
    console.log(
      "Debian's PostgreSQL 15 is not installed here: the API tests run on the built-in server only.",
    )
    return [builtIn]
  }
  const env = { FORECOURT_TEST_POSTGRES: '15' }
  return [builtIn, suiteStep({ name: 'API tests, PostgreSQL 15', node, project: 'api', env })]
}

function buildStep(node) {
  const run = async () => {
    await buildWeb(node)
    return { passed: 1, failed: 0, output: '' }
  }
  return { name: 'web build', run }
}

function browserStep(node) {
  const name = 'browser tests'
  const run = async () => {
    const CHROMIUM = await findChromium()
    return suiteStep({ name, node, project: 'e2e', env: { CHROMIUM } }).run()
  }
  return { name, run }
}
