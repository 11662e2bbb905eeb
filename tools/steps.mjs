// Runs the steps of a command, shows failures and counts results.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from './setup.mjs'
import { runProgram, wasInterrupted } from './run-program.mjs'

/**
 * @typedef {{ file: string, seconds: number }} FileTime
 * @typedef {{ passed: number, failed: number, output: string, note?: string, files?: FileTime[] }} Outcome
 * @typedef {Record<string, string | undefined>} Environment
 * @typedef {{ name: string, part: string, cores: number, run: (env: Environment) => Promise<Outcome> }} Step
 * `part`: its line in test/budget.json. `cores`: how many it keeps busy.
 */

/** A step that is a program of an installed package, or a script of ours (`package` null). Counts as one. */
export function toolStep({ name, part, node, package: from = null, bin = from, args = [], env = {} }) {
  const run = async (environment) => {
    const script = from === null ? [] : [binOf(from, bin)]
    const { code, output } = await runProgram(node, [...script, ...args], {
      cwd: projectFolder,
      env: { ...env, ...environment },
      isQuiet: true,
    })
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output }
  }
  return { name, part, cores: 1, run }
}

/** Vitest and the browser write caches to the home folder of the user. Here they write them to the project's. */
const OWN_FOLDERS = Object.fromEntries(
  ['DATA', 'CONFIG', 'CACHE'].map((kind) => [
    `XDG_${kind}_HOME`,
    join(projectFolder, 'node_modules', '.vitest', kind.toLowerCase()),
  ]),
)

/** The tests that run before a release, in `npm run prove`, instead of in every `npm test`. */
export const RELEASE_TAG = 'release'

/**
 * A step that runs vitest projects with two workers: every test counts. `tags` is vitest's filter of tests by their tags;
 * empty, it runs all of them.
 */
export function suiteStep({ name, part, node, projects, env = {}, tags = '' }) {
  const run = async (environment) => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-report-'))
    try {
      const report = join(folder, 'report.json')
      const reporter = join(import.meta.dirname, 'test-report.mjs')
      const names = projects.map((project) => `--project=${project}`)
      const filter = tags === '' ? [] : [`--tags-filter=${tags}`]
      const args = ['run', ...names, ...filter, '--reporter=dot', `--reporter=${reporter}`]
      const { code, output } = await runProgram(node, [binOf('vitest', 'vitest'), ...args], {
        cwd: projectFolder,
        env: {
          NO_COLOR: process.stdout.isTTY ? undefined : '1',
          FORECOURT_TEST_REPORT: report,
          FORECOURT_TEST_TAGS: tags,
          ...OWN_FOLDERS,
          ...env,
          ...environment,
        },
        isQuiet: true,
      })
      return countTests({ code, output, text: await readFile(report, 'utf8').catch(() => '{}') })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return { name, part, cores: 2, run }
}

/**
 * Runs every step in this order, as many at once as there are cores for, also after one has failed, and adds up. Every
 * process of a step is counted by the meter, which is null where CPU time cannot be measured.
 * @param {Step[]} steps
 */
export async function runSteps(steps, { cores, meter }) {
  const total = { passed: 0, failed: 0, files: [] }
  const waiting = [...steps]
  const running = new Set()
  let free = cores
  while (running.size > 0 || (waiting.length > 0 && wasInterrupted() === null)) {
    const next = wasInterrupted() === null ? waiting.findIndex((step) => step.cores <= free) : -1
    if (next === -1) {
      // oxlint-disable-next-line no-await-in-loop -- The next step needs a core that a running one has.
      await Promise.race(running)
      continue
    }
    const [step] = waiting.splice(next, 1)
    free -= step.cores
    const work = runStep(step, meter).then(({ passed, failed, files = [] }) => {
      total.passed += passed
      total.failed += failed
      total.files.push(...files)
      free += step.cores
      running.delete(work)
    })
    running.add(work)
  }
  return total
}

/** Prints the last line and sets the matching exit code. */
export function conclude({ passed, failed }) {
  const signal = wasInterrupted()
  if (signal !== null) console.log(`Stopped by ${signal} before the end.`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || signal !== null || passed === 0 ? 1 : 0
}

async function runStep(step, meter) {
  const started = Date.now()
  const outcome = await step
    .run(meter?.environmentOf(step.name) ?? {})
    .catch((error) => ({ passed: 0, failed: 1, output: String(error.message ?? error) }))
  meter?.settle(step.name)
  const time = `${((Date.now() - started) / 1000).toFixed(1)} s`.padStart(8)
  const cpu = meter === null ? '' : `${(meter.read().get(step.name) ?? 0).toFixed(1)} CPU s`.padStart(13)
  const verdict = outcome.failed > 0 ? 'FAILED' : 'ok'
  console.log(`${step.name.padEnd(24)} ${verdict.padEnd(6)} ${time}${cpu}  ${outcome.note ?? ''}`.trimEnd())
  if (outcome.failed > 0) console.log(`${outcome.output.trim()}\n`)
  return outcome
}

function countTests({ code, output, text }) {
  const { passed = 0, failed = 0, skipped = 0, retried = [], files = [] } = JSON.parse(text)
  // A test that passes only on a second attempt is a failed one. So is a run that ends with an error outside its tests.
  const failures = Math.max(failed + retried.length, code === 0 ? 0 : 1)
  const successes = passed - retried.length
  const retries = retried.map((name) => `Passed only when it was retried: ${name}\n`).join('')
  const note = `${successes + failures} tests${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return { passed: successes, failed: failures, output: `${output}\n${retries}`, note, files }
}

function binOf(name, bin) {
  const folder = join(projectFolder, 'node_modules', name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin])
}
