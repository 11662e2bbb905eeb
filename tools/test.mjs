// `npm test`: everything that must work, within the budget of test/budget.json. Ends with `N passed, N failed`.
import { existsSync } from 'node:fs'
import { addUpParts, compareWithBudget, describeTime, listSlowest, readBudget } from './budget.mjs'
import { quickSteps, unitStep } from './check-steps.mjs'
import { findChromium } from './chromium.mjs'
import { startCpuMeter } from './cpu-meter.mjs'
import { startSpeedMeter } from './machine-speed.mjs'
import { wasInterrupted } from './run-program.mjs'
import { buildWeb, prepare, runCommand } from './setup.mjs'
import { conclude, RELEASE_TAG, runSteps, suiteStep } from './steps.mjs'

await runCommand(async () => {
  const node = await prepare()
  const started = Date.now()
  const speed = startSpeedMeter(node)
  const meter = startCpuMeter({ speed })
  const chromium = lookForChromium()
  // One core each until all are done, then the suites, which keep two workers busy.
  const [lint, ...checks] = quickSteps(node)
  const suites = [unitStep(node), ...apiSteps(node), browserStep(node, chromium)]
  const steps = [lint, buildStep(node), ...checks, ...suites]
  const total = await runSteps(steps, { cores: 2, meter })
  meter?.stop()
  speed.stop()
  console.log(['', 'The ten slowest test files:', ...listSlowest(total.files, 10)].join('\n'))
  console.log(`\nWall time: ${describeTime(Date.now() - started)}`)
  console.log(`Speed of the machine: ${speed.average().toFixed(2)} of the one that the budget is for`)
  const isExceeded = tellCost(meter, steps)
  conclude({ ...total, failed: total.failed + (isExceeded ? 1 : 0) })
})

/** Prints the cost of the run. Returns whether it exceeds the budget. */
function tellCost(meter, steps) {
  if (meter === null) {
    console.log('CPU seconds are not measured on this system: the budget is enforced on Linux.')
    return false
  }
  const { lines, isExceeded } = compareWithBudget(addUpParts(meter.read(), steps), readBudget())
  console.log(lines.join('\n'))
  // A run that was interrupted has already failed.
  return isExceeded && wasInterrupted() === null
}

/** All API tests on the built-in PostgreSQL, and those that depend on the server also on the oldest supported version. */
function apiSteps(node) {
  // Those of a release run in `npm run prove -- postgres15`.
  const tags = `!${RELEASE_TAG}`
  const builtIn = suiteStep({ name: 'API tests', part: 'api', node, projects: ['api'], tags })
  if (!existsSync('/usr/lib/postgresql/15/bin/postgres')) {
    console.log("Debian's PostgreSQL 15 is not installed: the tests for it are left out.")
    return [builtIn]
  }
  const oldest = suiteStep({
    name: 'API, PostgreSQL 15',
    part: 'api-postgres15',
    node,
    projects: ['api-postgres15'],
    env: { FORECOURT_TEST_POSTGRES: '15' },
    tags,
  })
  return [builtIn, oldest]
}

function buildStep(node) {
  const run = async (env) => {
    await buildWeb(node, { env })
    return { passed: 1, failed: 0, output: '' }
  }
  return { name: 'web build', part: 'web build', cores: 1, run }
}

/** Starts to find or install Chromium early, so that a missing one is reported before the other tests. */
async function lookForChromium() {
  try {
    return { path: await findChromium(), problem: null }
  } catch (error) {
    console.log(`The browser tests will fail. ${error.message}`)
    return { path: null, problem: error }
  }
}

function browserStep(node, chromium) {
  const name = 'browser tests'
  const part = 'browser'
  const run = async (env) => {
    const { path, problem } = await chromium
    if (problem !== null) throw problem
    const tags = `!${RELEASE_TAG}`
    return suiteStep({ name, part, node, projects: ['e2e'], env: { CHROMIUM: path }, tags }).run(env)
  }
  return { name, part, cores: 2, run }
}
