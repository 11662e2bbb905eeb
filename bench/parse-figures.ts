// How long the worst inputs that are accepted keep the thread of requests busy: `npm run parse-figures`.
import { answersOf } from '#contract/marketing/forms/form-body.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { MAX_FILTER } from '#contract/queried-list.ts'
import { readCondition, timeUseOf } from '#contract/pricing/rules/rule-conditions.ts'
import { FiledRule, MAX_FILE_RULES, RuleFile } from '#contract/pricing/rules/rule-files.ts'
import { clock } from '#server/clock.ts'
import { readLines } from '#server/feeds/values/import-value-mappings.ts'
import { noteOf } from '#server/marketing/forms/receive-form.ts'
import { FORM_LIMIT, MAX_FORM_FIELDS, readFormFields } from '#server/marketing/site/form-limit.ts'
import { parseJson } from '#server/threads/parse-json.ts'
import { ruleProblem, ruleSql } from '#server/vehicles/vehicles/vehicle-rules.ts'

/** Repeats `part` up to `most` characters. */
const fill = (part: string, most: number, [start, end] = ['', '']): string =>
  start + part.repeat(Math.floor((most - start.length - end.length) / part.length)) + end

const used = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The least of some runs, in milliseconds of processor time: the longest time without a turn for other requests, and all of it.
 */
async function measure(name: string, work: () => unknown, prepare = () => {}): Promise<void> {
  let [longest, whole] = [Infinity, Infinity]
  for (let run = 0; run < 3; run += 1) {
    prepare()
    const before = used()
    let [turn, most, isDone] = [before, 0, false]
    const tick = (): void => {
      most = Math.max(most, used() - turn)
      turn = used()
      if (!isDone) setImmediate(tick)
    }
    setImmediate(tick)
    // oxlint-disable-next-line no-await-in-loop -- One run after another.
    await work()
    const all = used() - before
    isDone = true
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await new Promise(setImmediate)
    longest = Math.min(longest, most)
    whole = Math.min(whole, all)
  }
  process.stdout.write(`${longest.toFixed(1).padStart(8)} ms ${whole.toFixed(1).padStart(8)} ms  ${name}\n`)
}

/** So that the next one is read again. */
function forgetConditions(): void {
  for (let at = 0; at <= 400; at += 1) readCondition(`year == ${at}`)
}

const CONDITIONS: Record<string, string> = {
  comparisons: fill('year==1||', MAX_FILTER, ['', 'year==1']),
  'texts in other cases': fill('make=="aA"||', MAX_FILTER, ['', 'make=="a"']),
  'one list': `make in [${fill('"a",', 790)}"b"]`,
  lists: fill('year in [1,2,3,4,5]||', MAX_FILTER, ['', 'year==1']),
  sums: fill('+1', MAX_FILTER, ['price', '>0']),
  depth: `${'('.repeat(30)}year==1${')'.repeat(30)}`,
  negations: fill('!', MAX_FILTER, ['', '(year==1)']),
  'unknown field': fill('a', MAX_FILTER, ['', '==1']),
  'calls of a function': fill('make.contains("a")||', MAX_FILTER, ['', 'year==1']),
  quotes: fill('"', MAX_FILTER),
}

async function measureRules(): Promise<void> {
  for (const [name, text] of Object.entries(CONDITIONS)) {
    await measure(
      `condition of ${text.length} characters: ${name}`,
      () => {
        ruleProblem(text)
        timeUseOf(text)
        ruleSql(text, 'UTC')
      },
      forgetConditions,
    )
  }
  for (const [name, text] of Object.entries(CONDITIONS)) {
    const rules = Array.from(
      { length: Math.min(MAX_FILE_RULES, Math.floor(50_000 / text.length)) },
      (_, at) => ({
        name: `Rule ${at}`,
        kind: 'discount',
        condition: `${text}${' '.repeat(at)}`,
        cents: 100,
      }),
    )
    const file = JSON.stringify({ format: 'forecourt-pricing-rules', version: 1, currency: 'USD', rules })
    await measure(`file of ${rules.length} rules, ${file.length} characters: ${name}`, async () => {
      forgetConditions()
      const parsed = parseJson(file)
      RuleFile.safeParse(parsed.kind === 'json' ? parsed.value : null)
      for (const rule of rules) FiledRule.safeParse(rule)
      for (const { condition } of rules) {
        // oxlint-disable-next-line no-await-in-loop -- As the import does.
        await new Promise(setImmediate)
        readCondition(condition)
      }
      for (const { condition } of rules) {
        ruleProblem(condition)
        timeUseOf(condition)
        ruleSql(condition, 'UTC')
      }
    })
  }
}

async function measureValues(): Promise<void> {
  const head = 'Value,Field,Becomes\n'
  const files = {
    'the same mapping again and again': head + 'a,Make,b\n'.repeat(5_000),
    'lines with errors': head + 'a,b,c\n'.repeat(5_000),
    'empty lines': head + '\n'.repeat(9_999),
    'many columns': fill('a,', 1_000_000, ['Value,Field,Becomes,', '\n']),
    'one long value': fill('a', 1_000_000, [`${head}"`, '",Make,b\n']),
    '5,000 different ones': `${head}${Array.from({ length: 5_000 }, (_, at) => `${at}${'x'.repeat(170)},Make,b`).join('\n')}\n`,
    'JSON lists': fill('[],', 1_000_000, ['[', '[]]']),
    XML: fill('<a/>', 1_000_000, ['<x>', '</x>']),
  }
  for (const [name, text] of Object.entries(files))
    await measure(`value mappings, ${text.length} characters: ${name}`, () =>
      readLines(text, new Map()).catch(() => null),
    )
}

const en = (text: string) => ({ en: text })
/** A form as large as they may be. */
const LARGE: Definition = Definition.parse({
  languages: ['en'],
  sections: Array.from({ length: 5 }, (_, section) => ({
    id: `s${section}`,
    title: en('S'),
    questions: Array.from({ length: 100 }, (_question, at) => {
      const code = `q${section * 100 + at}`
      return at % 10 === 0
        ? {
            type: 'table',
            code,
            title: en('T'),
            maxRows: 200,
            columns: Array.from({ length: 20 }, (_column, column) => ({
              type: 'number',
              code: `c${column}`,
              title: en('C'),
              total: `${code}t${column}`,
            })),
          }
        : { type: 'number', code, title: en('N'), visibleIf: section > 0 ? 'q1 > 1 || q2 < 5' : undefined }
    }),
  })),
})

async function measureForms(): Promise<void> {
  const compiled = compileDefinition(LARGE)
  const sections = new Set(LARGE.sections.map(({ id }) => id))
  const cells = (): string => {
    let text = ''
    for (let question = 0; question < 500 && text.length < FORM_LIMIT; question += 10)
      for (let row = 0; row < 200; row += 1)
        for (let column = 0; column < 20; column += 1) text += `q${question}.${row}.c${column}=1&`
    return text.slice(0, FORM_LIMIT)
  }
  const bodies = {
    'one field again and again': fill('q1=x&', FORM_LIMIT),
    'unknown fields': Array.from(
      { length: FORM_LIMIT / 8 },
      (_, at) => `${at.toString(36).padStart(5, 'z')}=1`,
    )
      .join('&')
      .slice(0, FORM_LIMIT),
    'empty fields': fill('&', FORM_LIMIT),
    'cells of tables': cells(),
    'wrong answers': fill(Array.from({ length: 500 }, (_, at) => `q${at}=x&`).join(''), FORM_LIMIT),
    'escaped letters': fill('%41', FORM_LIMIT, ['q1=', '']),
  }
  for (const [name, whole] of Object.entries(bodies)) {
    const text = whole.split('&').slice(0, MAX_FORM_FIELDS).join('&')
    await measure(`form of ${text.length} bytes: ${name}`, () => {
      const body = readFormFields(text)
      if (body === null) return
      const answers = answersOf(body, compiled, { sections, language: 'en' })
      const { problems } = evaluateAnswers(compiled, answers, {
        language: 'en',
        now: clock.date(),
        zone: 'UTC',
      })
      noteOf({ compiled }, problems, body)
    })
  }
}

await measureRules()
await measureValues()
await measureForms()
