import type { Definition } from './definition.ts'

/** An error must be corrected before a definition can be published; a warning may stay. */
export type DefinitionFault = Readonly<{
  severity: 'error' | 'warning'
  /** A sentence for the author. */
  message: string
  /** Where it is, from the definition: `['sections', 0, 'questions', 3, 'choices', 2, 'value']`. */
  path: readonly (string | number)[]
  /** The ID of the section and the code of the question, for display: a faulty one may be empty or not unique. */
  section: string | null
  question: string | null
  /** The characters of a rule, otherwise null. */
  span: Readonly<{ from: number; to: number }> | null
}>

/** Collects faults, with the section and question that their path leads to. */
export class Faults {
  readonly all: DefinitionFault[] = []
  /** How many rules have a fault. */
  ruleFaults = 0
  readonly #definition: Definition

  constructor(definition: Definition) {
    this.#definition = definition
  }

  error(path: DefinitionFault['path'], message: string, span: DefinitionFault['span'] = null): void {
    if (span !== null) this.ruleFaults += 1
    this.#add('error', path, message, span)
  }

  warn(path: DefinitionFault['path'], message: string): void {
    this.#add('warning', path, message, null)
  }

  #add(
    severity: DefinitionFault['severity'],
    path: DefinitionFault['path'],
    message: string,
    span: DefinitionFault['span'],
  ): void {
    const [part, sectionAt, , questionAt] = path
    const section =
      part === 'sections' && typeof sectionAt === 'number' ? this.#definition.sections[sectionAt] : undefined
    const question = typeof questionAt === 'number' ? section?.questions[questionAt] : undefined
    this.all.push({
      severity,
      message,
      path,
      section: section?.id ?? null,
      question: question?.code ?? null,
      span,
    })
  }
}

/** The path of a fault. */
export type Path = DefinitionFault['path']
