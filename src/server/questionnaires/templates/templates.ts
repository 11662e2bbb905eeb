import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QuestionnaireFile } from '#contract/questionnaires/questionnaires/questionnaire-file.ts'
import type { QuestionnaireTemplate } from '#contract/questionnaires/questionnaires/questionnaires.ts'

const FOLDER = join(import.meta.dirname, '../../../../data/questionnaires')
/** In the order of the choice. */
const KEYS = ['dealer-site', 'dealer-energy', 'scope3-screening'] as const

type Template = Omit<QuestionnaireTemplate, 'isScored'> & Readonly<{ file: QuestionnaireFile }>

let templates: readonly Template[] | null = null

/** The templates of data/questionnaires. Read at the first use, and then kept. */
export function readTemplates(): readonly Template[] {
  templates ??= KEYS.map((key) => {
    const file = QuestionnaireFile.parse(JSON.parse(readFileSync(join(FOLDER, `${key}.json`), 'utf8')))
    const { sections } = file.definition
    return {
      key,
      name: file.name,
      description: file.description ?? '',
      sectionCount: sections.length,
      questionCount: sections.reduce((sum, { questions }) => sum + questions.length, 0),
      file,
    }
  })
  return templates
}
