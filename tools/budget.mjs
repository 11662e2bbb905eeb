// The CPU budget of a run, and its actual CPU time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './setup.mjs'

/**
 * Adds up the CPU seconds of each part from its steps. The rest was used by the command itself.
 * @param {Map<string, number>} seconds by step
 * @param {{ name: string, part: string }[]} steps
 */
export function addUpParts(seconds, steps) {
  const partOf = new Map(steps.map(({ name, part }) => [name, part]))
  const parts = new Map()
  for (const [step, used] of seconds) {
    const part = partOf.get(step) ?? 'command'
    parts.set(part, (parts.get(part) ?? 0) + used)
  }
  return parts
}

/**
 * Compares CPU seconds with the budget: the lines to print, and whether the total is exceeded. A part may use more than
 * its guideline as long as the others use less.
 * @param {Map<string, number>} parts
 * @param {{ total: number, parts: Record<string, number> }} budget
 */
export function compareWithBudget(parts, budget) {
  const total = [...parts.values()].reduce((sum, used) => sum + used, 0)
  const line = (name, used, allowed, remark = '') =>
    `  ${name.padEnd(16)} ${used.toFixed(0).padStart(6)} of ${String(allowed ?? '-').padStart(5)}${remark}`
  const lines = [...parts].map(([name, used]) => {
    const allowed = budget.parts[name]
    return line(name, used, allowed, allowed !== undefined && used > allowed ? '  above its guideline' : '')
  })
  const isExceeded = total > budget.total
  return {
    isExceeded,
    lines: [
      'CPU seconds at the speed of the budget (test/budget.json):',
      ...lines,
      line('total', total, budget.total, isExceeded ? '  EXCEEDED' : ''),
      ...(isExceeded ? ['The CPU budget is exceeded. CONTRIBUTING.md, "The budget", says what to do.'] : []),
    ],
  }
}

export function readBudget() {
  return JSON.parse(readFileSync(join(projectFolder, 'test/budget.json'), 'utf8'))
}

/** The files that took longest, as lines to print. */
export function listSlowest(files, count) {
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
}

/** "9 min 12 s", of milliseconds. */
export function describeTime(ms) {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
