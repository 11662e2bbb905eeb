import type { Definition, Question } from '#contract/questions/definition.ts'
import type { Scoring } from '#contract/questions/scores/scoring.ts'
import { isRuleName } from '#contract/questions/check-rules.ts'
import { MAX_CODE } from '#contract/questions/limits.ts'

/** Something of a file that was not taken over, or not as it was. `place`: "Question age", "survey, line 12". */
export type ImportNote = Readonly<{ place: string; message: string }>

/** A questionnaire read from a file of another product. */
export type ImportedQuestionnaire = Readonly<{
  name: string
  draft: Definition
  scoring: Scoring
  notes: readonly ImportNote[]
}>

/** A file that can't be read. The message says where and why. */
export class ImportFault extends Error {
  override name = 'ImportFault'
}

/** Codes that are taken. Finding a free one takes the same time however many there are. */
export class TakenCodes {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  /** The stem, or with the next number that is free. */
  free(stem: string): string {
    if (!this.#taken.has(stem)) return stem
    let number = this.#numbers.get(stem) ?? 2
    while (this.#taken.has(`${stem}_${number}`)) number += 1
    this.#numbers.set(stem, number)
    return `${stem}_${number}`
  }

  add(code: string): void {
    this.#taken.add(code)
  }
}

/** Gives every imported name a code that rules can use, and finds it again. */
export class Codes {
  readonly #codes = new Map<string, string>()
  readonly #taken = new TakenCodes()
  readonly #changed: string[] = []

  /** The code of a new name. A name that can't be a code, or is taken, gets a similar one. */
  add(given: string): string {
    const name = given.trim()
    const tidy = name
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9_]+/g, '_')
      .slice(0, MAX_CODE - 6)
    const stem = /^[A-Za-z]/.test(tidy) ? tidy : `q_${tidy.replace(/^_+/, '')}`
    const code = this.#taken.free(isRuleName(stem) ? stem : `q_${stem}`)
    this.#taken.add(code)
    if (!this.#codes.has(name)) this.#codes.set(name, code)
    if (code !== name) this.#changed.push(`${name} is now ${code}`)
    return code
  }

  /** The code of a name; null if no question has it. */
  find(name: string): string | null {
    return this.#codes.get(name.trim()) ?? null
  }

  /** "my-question is now my_question". */
  get changed(): readonly string[] {
    return this.#changed
  }
}

/** A code for a part of a question: a row of a matrix or a column of a table. */
export function partCode(name: string, taken: TakenCodes, at: number): string {
  const tidy = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').slice(0, MAX_CODE - 6)
  return taken.free(/^[A-Za-z]/.test(tidy) && isRuleName(tidy) ? tidy : `part_${tidy === '' ? at + 1 : tidy}`)
}

/** An imported question, with the rules of its file that aren't translated yet. */
export type Imported = {
  question: Question
  place: string
  /** Rules in the language of the file; all of them must hold. */
  visible: readonly string[]
  required: string | null
  check: string | null
  calculate: string | null
}
export type ImportedSection = {
  id: string
  title: Record<string, string>
  imported: Imported[]
  description?: Record<string, string>
}
