import type { z } from 'zod'
import { QUESTIONNAIRE_FORMAT, QuestionnaireFile } from '../questionnaires/questionnaire-file.ts'
import { placeOf } from './finish-import.ts'
import { type ImportedQuestionnaire, ImportFault } from './imported.ts'

/** How many errors of a file are listed. */
const MOST = 10

/** Whether JSON is a questionnaire that this product exported. */
export const isOwnFile = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'format' in json && json.format === QUESTIONNAIRE_FORMAT

/** Reads an exported questionnaire. Nothing is lost. @throws ImportFault with the place of each error */
export function readOwnFile(json: unknown): ImportedQuestionnaire & Readonly<{ key: string }> {
  const parsed = QuestionnaireFile.safeParse(json)
  if (!parsed.success) throw new ImportFault(describeIssues(json, parsed.error.issues))
  const { name, key, definition, scoring } = parsed.data
  return { name, key, draft: definition, scoring, notes: [] }
}

function describeIssues(json: unknown, issues: readonly z.core.$ZodIssue[]): string {
  const all = [...new Set(issues.map((issue) => describeIssue(json, issue)))]
  const more = all.length > MOST ? ` There are ${all.length - MOST} more errors.` : ''
  return `${all.slice(0, MOST).join(' ')}${more}`
}

/** "Question mileage, min: Enter a number in plain digits." */
function describeIssue(json: unknown, { path, message }: z.core.$ZodIssue): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  if (path.length === 0) return sentence
  if (path[0] !== 'definition') return `${path.join(', ')}: ${sentence}`
  const place = placeOf(sectionsIn(json), path.slice(1))
  const rest = path.slice(place.startsWith('Question') ? 5 : 3)
  return `${[place, ...rest].map(String).join(', ')}: ${sentence}`
}

/** Sections and codes, as far as the file has them. */
function sectionsIn(json: unknown) {
  const definition = partOf(json, 'definition')
  const sections = partOf(definition, 'sections')
  return {
    sections: (Array.isArray(sections) ? sections : []).map((section: unknown) => {
      const questions = partOf(section, 'questions')
      return {
        questions: (Array.isArray(questions) ? questions : []).map((question: unknown, at) => {
          const code = partOf(question, 'code')
          return { code: typeof code === 'string' && code !== '' ? code : `number ${at + 1}` }
        }),
      }
    }),
  }
}

function partOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
