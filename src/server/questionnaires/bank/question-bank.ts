import { sql } from 'kysely'
import { z } from 'zod'
import {
  type BankQuestion,
  MAX_FOUND_QUESTIONS,
  type questionBank,
} from '#contract/questionnaires/bank/question-bank.ts'
import { Question } from '#contract/questions/definition.ts'
import { QuestionScore } from '#contract/questions/scores/scoring.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { readTemplates } from '../templates/templates.ts'

/** The questions of all questionnaires are the bank: whatever was asked once can be asked again. */
export const questionBankHandlers: Handlers<typeof questionBank> = {
  async find({ db, input: { search = '' } }) {
    const text = search.trim()
    const own = await findOwn(db, text)
    const all = [...own, ...findInTemplates(text)]
    return { questions: all.slice(0, MAX_FOUND_QUESTIONS), hasMore: all.length > MAX_FOUND_QUESTIONS }
  },
}

const Row = z.object({
  questionnaireId: z.string(),
  source: z.string(),
  section: z.record(z.string(), z.string()),
  languages: z.array(z.string()),
  question: Question,
  score: QuestionScore.nullable(),
})

/** The latest first. Row level security hides questionnaires of organizations that the user can't reach. */
async function findOwn(db: Database, text: string): Promise<BankQuestion[]> {
  const matches = contains(
    [sql`(x.value->'title')::text`, sql`x.value->>'code'`, sql`coalesce(x.value->>'conceptId', '')`],
    text,
  )
  const { rows } = await sql`
    select q.id::text as "questionnaireId", q.name as source, s.value->'title' as section, q.draft->'languages' as languages,
      x.value as question, (select p.value from jsonb_array_elements(q.scoring->'questions') p
        where p.value->>'question' = x.value->>'code' limit 1) as score
    from questionnaires q, jsonb_array_elements(q.draft->'sections') with ordinality s(value, at),
      jsonb_array_elements(s.value->'questions') with ordinality x(value, at)
    where ${text === '' ? sql`true` : matches}
    order by q.updated_at desc, q.id, s.at, x.at limit ${MAX_FOUND_QUESTIONS + 1}`.execute(db)
  return Row.array()
    .parse(rows)
    .map(({ section, ...row }) => ({
      ...row,
      section: textIn(section, row.languages[0] ?? 'en', row.languages),
    }))
}

function findInTemplates(text: string): BankQuestion[] {
  const wanted = text.toLowerCase()
  return readTemplates().flatMap(({ name, file: { definition, scoring } }) => {
    const { languages, sections } = definition
    return sections.flatMap((section) =>
      section.questions
        .filter(({ code, title, conceptId = '' }) =>
          [code, conceptId, ...Object.values(title)].some((one) => one.toLowerCase().includes(wanted)),
        )
        .map((question) => ({
          questionnaireId: null,
          source: name,
          section: textIn(section.title, languages[0] ?? 'en', languages),
          languages,
          question,
          score: scoring.questions.find((one) => one.question === question.code) ?? null,
        })),
    )
  })
}
