// `npm run prove`: the checks that take too long for every commit, in named parts. All of them run before a release.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeTime } from './budget.mjs'
import { findChromium } from './chromium.mjs'
import { startCpuMeter } from './cpu-meter.mjs'
import { collectFigures, recordRun } from './proof-page.mjs'
import { runProgram, wasInterrupted } from './run-program.mjs'
import { buildWeb, prepare, projectFolder, runCommand, SetupError } from './setup.mjs'
import { conclude, RELEASE_TAG, runSteps, suiteStep } from './steps.mjs'

const LIMIT_MINUTES = 15
const PAGE = 'docs/proof.md'
/** Runs the release-only tests in the browser test files of `npm test`. */
const JOURNEYS = 'journeys'

await runCommand(async () => {
  const node = await prepare()
  const parts = await listParts(node)
  const asked = process.argv.slice(2)
  if (asked.includes('--list')) {
    console.log(parts.join('\n'))
    return
  }
  const unknown = asked.filter((name) => !parts.includes(name))
  if (unknown.length > 0) {
    throw new SetupError(`There is no part ${unknown.join(', ')}. The parts are: ${parts.join(', ')}.`)
  }
  await buildWeb(node)
  // Parts that need a browser report it themselves if there is none.
  const CHROMIUM = await findChromium().catch(() => undefined)
  const total = { passed: 0, failed: 0 }
  for (const part of asked.length > 0 ? asked : parts) {
    if (wasInterrupted() !== null) break
    // oxlint-disable-next-line no-await-in-loop -- One part at a time: each has the machine for itself.
    const { passed, failed } = await runPart({ part, node, env: { CHROMIUM } })
    total.passed += passed
    total.failed += failed
  }
  conclude(total)
})

/** The parts are the projects of vitest.config.ts whose names begin with "prove-". */
async function listParts(node) {
  const { code, output } = await runProgram(node, ['tools/list-projects.mjs'], {
    cwd: projectFolder,
    isQuiet: true,
  })
  if (code !== 0) throw new SetupError(`vitest.config.ts cannot be read:\n${output.trim()}`)
  const projects = JSON.parse(output.trim().split('\n').at(-1))
  return projects.filter((name) => name.startsWith('prove-')).map((name) => name.slice('prove-'.length))
}

async function runPart({ part, node, env }) {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-figures-'))
  try {
    const file = join(folder, 'figures')
    const projects = [`prove-${part}`]
    const environment = { ...env, FORECOURT_PROOF_FIGURES: file }
    const tags = part === JOURNEYS ? RELEASE_TAG : ''
    const suite = suiteStep({ name: part, part, node, projects, env: environment, tags })
    let output = ''
    const step = {
      ...suite,
      run: async (marked) => {
        const outcome = await suite.run(marked)
        output = outcome.output
        return outcome
      },
    }
    const started = Date.now()
    const meter = startCpuMeter()
    const { passed, failed } = await runSteps([step], { cores: 2, meter })
    meter?.stop()
    const took = Date.now() - started
    const figures = collectFigures({ output, file: await readFile(file, 'utf8').catch(() => '') })
    for (const figure of figures) console.log(`  ${figure}`)
    const isTooLong = took > LIMIT_MINUTES * 60_000
    if (isTooLong)
      console.log(`  ${part} took ${describeTime(took)}: a part may take ${LIMIT_MINUTES} minutes.`)
    const run = { passed, failed: failed + (isTooLong ? 1 : 0) }
    // An interrupted run has no result.
    if (wasInterrupted() === null) {
      await recordRun(join(projectFolder, PAGE), {
        part,
        ...(await describeCommit()),
        ...run,
        wall: describeTime(took),
        cpu: meter === null ? 'not measured' : (meter.read().get(part) ?? 0).toFixed(0),
        figures,
      })
    }
    return run
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function describeCommit() {
  const git = (...args) => runProgram('git', args, { cwd: projectFolder, isQuiet: true })
  const head = await git('rev-parse', '--short', 'HEAD')
  const status = await git('status', '--porcelain', '--', '.', `:!${PAGE}`)
  const hash = head.code === 0 ? head.output.trim() : 'unknown'
  const isChanged = status.code === 0 && status.output.trim() !== ''
  return { commit: `${hash}${isChanged ? ' + changes' : ''}`, date: new Date().toISOString().slice(0, 10) }
}
