// Adds up the CPU time of every process that a run starts. Wall time on a shared machine proves nothing; CPU time does.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the CPU time in /proc in hundredths of a second on every architecture that Node supports. */
const TICKS_PER_SECOND = 100
/** A process that is reaped by its parent is counted exactly. This is how much the others can lose at their end. */
const INTERVAL_MS = 1000
/** Carries the run and the step through the environment, for processes that have lost their parent. */
const MARKER = 'FORECOURT_TEST_RUN'
/** For the run's own work between steps. */
const OUTSIDE_STEPS = 'runner'

/** Used instead of a step. */
const NOT_OURS = null
const UNKNOWN = undefined

/**
 * @typedef {{ pid: number, ppid: number, group: number, session: number, start: string, own: number, reaped: number }} Stat
 * `own`: what the process used itself; `reaped`: what its children used that have ended and were waited for. In ticks.
 * @typedef {Stat & { step: string, missing: number, patience: number }} Tracked
 * `missing`: the time of children that have disappeared, which is to show up in `reaped`.
 */

/**
 * Starts counting. All known processes are read once a second: what a process used is its own time. When it ends, its
 * parent's `reaped` grows by everything it used, so what was not seen before (its last moments, and children too short
 * to be seen at all) is found there. A process whose parent has ended keeps its place: it is known by then, or is
 * recognized by its environment, its session or its process group.
 *
 * With a `speed`, each second counts by the speed at which the machine works while it is used, so that the result is the
 * CPU time on the reference machine.
 *
 * Returns null where there is no /proc to read, on macOS for example.
 * @param {{ speed?: Pick<import('./machine-speed.mjs').SpeedMeter, 'current'> }} [options]
 */
export function startCpuMeter({ speed } = {}) {
  if (readStat(process.pid) === null) return null
  const meter = new CpuMeter(speed?.current)
  const timer = setInterval(() => meter.sample(), INTERVAL_MS)
  timer.unref()
  return {
    /** The environment for the processes of a step. */
    environmentOf: (step) => meter.environmentOf(step),
    /** Reads once more, as soon as a step's process has ended. */
    settle: (step) => meter.sample(step),
    /** The seconds so far, by step. */
    read: () => meter.read(),
    stop() {
      clearInterval(timer)
      meter.sample()
    },
  }
}

class CpuMeter {
  #run = randomBytes(8).toString('hex')
  /** @type {Map<number, Tracked>} */
  #tracked = new Map()
  /** Processes that are not ours, by number and start: each environment is read once, and the rest seldom. */
  #others = new Map()
  #samples = 0
  /** @type {Map<string, number>} */
  #ticks = new Map()
  #speed

  constructor(speed = () => 1) {
    this.#speed = speed
    this.#tracked.set(process.pid, trackedFrom(readStat(process.pid), OUTSIDE_STEPS))
  }

  environmentOf(step) {
    // A run inside a run keeps the mark of the outer one, which counts it as well.
    const outer = process.env[MARKER]
    return { [MARKER]: `${outer ? `${outer} ` : ''}${this.#run}/${encodeURIComponent(step)}/` }
  }

  read() {
    return new Map([...this.#ticks].map(([step, ticks]) => [step, ticks / TICKS_PER_SECOND]))
  }

  sample(endedStep = null) {
    this.#samples += 1
    const isThorough = this.#samples % THOROUGH_EVERY === 0
    const stats = readAllStats({ except: isThorough ? null : this.#others })
    const before = this.#tracked
    this.#tracked = this.#findOurs(stats, { before, isThorough })
    this.#bookVanished(before)
    let lastEnded = endedStep
    for (const [pid, was] of before) {
      if (!this.#tracked.has(pid) && was.ppid === process.pid) lastEnded ??= was.step
    }
    for (const now of this.#tracked.values()) {
      const was = isSame(before.get(now.pid), now) ? before.get(now.pid) : null
      this.#charge(now.step, now.own - (was?.own ?? 0))
      const step = now.pid === process.pid ? (lastEnded ?? OUTSIDE_STEPS) : now.step
      this.#charge(step, takeUnexplained(now, now.reaped - (was?.reaped ?? 0)))
    }
  }

  #charge(step, ticks) {
    this.#ticks.set(step, (this.#ticks.get(step) ?? 0) + ticks * this.#speed())
  }

  #findOurs(stats, { before, isThorough }) {
    const ours = new Map()
    // One whose number has passed to another process is noticed at the next thorough read.
    const others = isThorough ? new Map() : new Map(this.#others)
    const open = new Set()
    const find = (pid) => {
      const stat = stats.get(pid)
      if (stat === undefined || ours.has(pid)) return ours.get(pid)
      if (others.has(pid) || open.has(pid)) return undefined
      open.add(pid)
      const was = isSame(before.get(pid), stat) ? before.get(pid) : null
      const step = was?.step ?? this.#stepOf(stat, find)
      open.delete(pid)
      if (step === NOT_OURS) others.set(pid, stat.start)
      else if (step !== UNKNOWN) ours.set(pid, { ...trackedFrom(stat, step), ...pendingOf(was) })
      return ours.get(pid)
    }
    for (const pid of stats.keys()) find(pid)
    this.#others = others
    return ours
  }

  #stepOf(stat, find) {
    if (this.#others.get(stat.pid) === stat.start) return NOT_OURS
    const parent = find(stat.ppid)
    if (parent !== undefined && parent.pid !== process.pid) return parent.step
    const environment = readEnvironment(stat.pid)
    const [, marked] = environment.split(`${this.#run}/`)
    if (marked !== undefined) return decodeURIComponent(marked.split('/')[0])
    // An ending process has no environment. The CPU time of our children is counted when they have ended.
    if (parent !== undefined) return environment === '' ? UNKNOWN : OUTSIDE_STEPS
    // The leader of a session or group that one of ours has opened. Our own group has our callers in it.
    for (const pid of [stat.session, stat.group]) {
      const leader = pid === stat.pid ? undefined : find(pid)
      if (leader !== undefined && leader.pid !== process.pid) return leader.step
    }
    return NOT_OURS
  }

  /** Expects the CPU time of ended processes to show up at their parents. Deepest first, because each includes its children. */
  #bookVanished(before) {
    const gone = [...before.values()].filter((was) => !isSame(this.#tracked.get(was.pid), was))
    const depthOf = (was) => {
      let depth = 0
      for (let at = was; at !== undefined && depth < 100; at = before.get(at.ppid)) depth += 1
      return depth
    }
    const deepestFirst = gone
      .map((was) => ({ was, depth: depthOf(was) }))
      .toSorted((a, b) => b.depth - a.depth)
    for (const { was } of deepestFirst) {
      const parent = this.#tracked.get(was.ppid) ?? before.get(was.ppid)
      if (parent === undefined) continue
      parent.missing += was.own + was.reaped + was.missing
      parent.patience = PATIENCE
    }
  }
}

/** Reading all processes of the machine takes a few milliseconds. New ones are read each time, known ones this seldom. */
const THOROUGH_EVERY = 10

/** A child that disappears between two reads is found in `reaped` now or at the next read, or it was never waited for. */
const PATIENCE = 2

function takeUnexplained(tracked, reaped) {
  const unexplained = Math.max(0, reaped - tracked.missing)
  tracked.missing = Math.max(0, tracked.missing - reaped)
  tracked.patience -= 1
  if (tracked.patience <= 0) tracked.missing = 0
  return unexplained
}

function pendingOf(was) {
  return { missing: was?.missing ?? 0, patience: was?.patience ?? 0 }
}

function trackedFrom(stat, step) {
  return { ...stat, step, missing: 0, patience: 0 }
}

/** Empty when the process has ended, is ending, or belongs to another user. */
function readEnvironment(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

function isSame(one, other) {
  return one !== undefined && other !== undefined && one.start === other.start
}

function readAllStats({ except }) {
  const stats = new Map()
  for (const name of readdirSync('/proc')) {
    if (name[0] < '0' || name[0] > '9' || except?.has(Number(name))) continue
    const stat = readStat(name)
    if (stat !== null) stats.set(stat.pid, stat)
  }
  return stats
}

/** @returns {Stat | null} */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program stands in parentheses and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      pid: Number(pid),
      ppid: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      start: fields[19],
      own: Number(fields[11]) + Number(fields[12]),
      reaped: Number(fields[13]) + Number(fields[14]),
    }
  } catch {
    return null
  }
}
