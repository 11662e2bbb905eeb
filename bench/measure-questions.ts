import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import type { Row } from './run.ts'

const BATCHES = 60
const BATCH = 100
const QUESTIONS = 132
const LIMIT_MICROSECONDS = 300
const en = (text: string) => ({ en: text })

/** A questionnaire about sustainability: mostly numbers, a third of the questions with a rule, sums and tables. */
function makeQuestion(at: number): object {
  const shared = {
    code: `q${at}`,
    title: en(`Question ${at}`),
    ...(at % 3 === 0 ? { obligation: 'required' } : {}),
    ...(at % 3 === 1 && at > 12 ? { visibleIf: `q${at - 11} == "b" || q${at - 12} > 10` } : {}),
  }
  switch (at % 12) {
    case 0:
    case 1:
    case 2:
    case 3:
      return {
        ...shared,
        visibleIf: undefined,
        type: 'number',
        unit: 'kWh',
        decimals: 2,
        min: '0',
        check: `q${at} < 1000000`,
      }
    case 4:
    case 5:
      return {
        ...shared,
        visibleIf: undefined,
        type: 'single',
        choices: ['a', 'b', 'c'].map((value) => ({ value, title: en(value) })),
      }
    case 6:
      return { ...shared, visibleIf: `q${at - 4} > 1`, type: 'boolean' }
    case 7:
      return { ...shared, visibleIf: `q${at - 2} == "b"`, type: 'longText' }
    case 8:
      return { ...shared, visibleIf: `q${at - 2}`, type: 'date' }
    case 9:
      return {
        ...shared,
        visibleIf: `q${at - 5} != "c" && q${at - 6} > 3`,
        type: 'table',
        columns: ['x', 'y', 'z'].map((code) => ({
          type: 'number',
          code,
          title: en(code),
          total: `q${at}${code}`,
        })),
      }
    case 10:
      return {
        ...shared,
        visibleIf: undefined,
        obligation: 'voluntary',
        type: 'computed',
        result: 'number',
        decimals: 2,
        calculate: `(q${at - 10} + q${at - 9} * 0.367) / 1000 + q${at - 1}x`,
      }
    default:
      return { ...shared, visibleIf: `q${at - 1} > 0`, type: 'text', maxLength: 200 }
  }
}

function makeAnswer(at: number): unknown {
  const kind = at % 12
  if (kind < 4) return `${at * 37}.25`
  if (kind < 6) return at % 24 < 12 ? 'a' : 'b'
  if (kind === 6) return at % 4 === 0
  if (kind === 7) return 'We moved to renewable electricity in two of our three sites.'
  if (kind === 8) return '2026-06-30'
  if (kind === 9) return Array.from({ length: 5 }, (_, row) => ({ x: `${row}.5`, y: '12', z: '100.01' }))
  return kind === 10 ? undefined : 'Columbus, Ohio'
}

/** Microseconds of processor time of one call in the fastest batch, so that other programs don't count. */
function fastestOf(work: () => unknown): number {
  const times = Array.from({ length: BATCHES }, () => {
    const begun = process.cpuUsage()
    for (let n = 0; n < BATCH; n += 1) work()
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / BATCH
  })
  return Math.min(...times)
}

/** Evaluates a questionnaire with the answers to all of its questions, as each accepted change does. */
export function measureQuestions(): Row {
  const compiled = compileDefinition(
    Definition.parse({
      languages: ['en'],
      sections: [
        {
          id: 'all',
          title: en('All'),
          questions: Array.from({ length: QUESTIONS }, (_, at) => makeQuestion(at)),
        },
      ],
    }),
  )
  const answers = Object.fromEntries(Array.from({ length: QUESTIONS }, (_, at) => [`q${at}`, makeAnswer(at)]))
  const options = {
    language: 'en',
    now: new Date('2026-11-25T15:00:00Z'),
    zone: 'America/New_York',
    setAside: true,
  }
  const evaluate = () => evaluateAnswers(compiled, answers, options)
  const scan = () => JSON.stringify(answers)
  const ours = fastestOf(evaluate)
  const bare = fastestOf(scan)
  const { visible, progress } = evaluate()
  return {
    what: `answers to a questionnaire of ${QUESTIONS} questions evaluated, ${visible.length} of them visible, ${progress.answered} answered`,
    measured: `${ours.toFixed(0)} µs`,
    comparison: `writing the answers as JSON ${bare.toFixed(0)} µs; limit ${LIMIT_MICROSECONDS} µs`,
    ratio: `${(ours / LIMIT_MICROSECONDS).toFixed(2)}; of the JSON ${(ours / bare).toFixed(1)}`,
  }
}
