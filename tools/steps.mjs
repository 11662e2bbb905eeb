// Runs the steps of a check, shows what fails and counts.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from './setup.mjs'
import { runProgram, wasInterrupted } from './run-program.mjs'

/**
 * @typedef {{ passed: number, failed: number, output: string, note?: string }} Outcome
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Step
 */

/** A step that is a program of an installed package, or a script of ours (`package` null). Counts as one. */
export function toolStep({ name, node, package: from = null, bin = from, args = [], env = {} }) {
  const run = async () => {
    const script = from === null ? [] : [binOf(from, bin)]
    const { code, output } = await runProgram(node, [...script, ...args], {
      cwd: projectFolder,
      env,
      isQuiet: true,
    })
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output }
  }
  return { name, run }
}

/** The test runner and the browser keep notes in the home of whoever runs them: here they keep them with us. */
const OWN_FOLDERS = Object.fromEntries(
  ['DATA', 'CONFIG', 'CACHE'].map((kind) => [
    `XDG_${kind}_HOME`,
    join(projectFolder, 'node_modules', '.vitest', kind.toLowerCase()),
  ]),
)

/** A step that is a vitest project: every test counts. */
export function suiteStep({ name, node, project, env = {} }) {
  const run = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-report-'))
    try {
      const report = join(folder, 'report.json')
      const args = [
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]
      const { code, output } = await runProgram(node, [binOf('vitest', 'vitest'), ...args], {
        cwd: projectFolder,
        env: { NO_COLOR: process.stdout.isTTY ? undefined : '1', ...OWN_FOLDERS, ...env },
        isQuiet: true,
      })
      return countTests({ code, output, text: await readFile(report, 'utf8').catch(() => '{}') })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return { name, run }
}

/**
 * Runs every step, `atOnce` at a time, also after one has failed, and adds up.
 * @param {Step[]} steps
 */
export async function runSteps(steps, { atOnce }) {
  const total = { passed: 0, failed: 0 }
  const waiting = [...steps]
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      if (wasInterrupted() !== null) return
      const { passed, failed } = await runStep(step)
      total.passed += passed
      total.failed += failed
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return total
}

/** The last line, and the exit code that says the same. */
export function conclude(...totals) {
  const passed = totals.reduce((sum, total) => sum + total.passed, 0)
  const failed = totals.reduce((sum, total) => sum + total.failed, 0)
  const signal = wasInterrupted()
  if (signal !== null) console.log(`Stopped by ${signal} before the end.`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || signal !== null || passed === 0 ? 1 : 0
}

async function runStep(step) {
  const begun = Date.now()
  const outcome = await step
    .run()
    .catch((error) => ({ passed: 0, failed: 1, output: String(error.message ?? error) }))
  const time = `${((Date.now() - begun) / 1000).toFixed(1)} s`.padStart(8)
  const verdict = outcome.failed > 0 ? 'FAILED' : 'ok'
  console.log(`${step.name.padEnd(24)} ${verdict.padEnd(6)} ${time}  ${outcome.note ?? ''}`.trimEnd())
  if (outcome.failed > 0) console.log(`${outcome.output.trim()}\n`)
  return outcome
}

function countTests({ code, output, text }) {
  const report = JSON.parse(text)
  const passed = report.numPassedTests ?? 0
  // A file that does not load has no tests to count: it fails as one.
  const failed = Math.max(report.numFailedTests ?? 0, code === 0 ? 0 : 1)
  const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0)
  const note = `${passed + failed} tests${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return { passed, failed, output, note }
}

function binOf(name, bin) {
  const folder = join(projectFolder, 'node_modules', name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin])
}
