import { isEqual } from '#contract/questions/changes.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { mergeChanges, mergeOrder, type Versions, type Winner } from '#web/ui/record/merge-changes.ts'
import {
  type Content,
  freeName,
  placeOf,
  questionsIn,
  removeQuestion,
  removeSection,
  renameCode,
} from './content-changes.ts'
import type { Memory } from './use-builder.ts'

/**
 * Brings the changes of two people to the same questions together, as `mergeChanges` does. A question keeps its changes when
 * it is moved to another section meanwhile, and two new questions with the same code both stay. A question that one of them
 * deleted and that stays, because the other one changed it, keeps what referred to it: its contact detail and its score.
 */
export function mergeContent(versions: Versions<Content>, winner: Winner = 'mine'): Content {
  const { base } = versions
  const merged = mergeOnce(versions, winner)
  const stays = {
    questions: new Set([
      ...questionsIn(merged).map(({ code }) => code),
      ...namedQuestions(merged),
      ...namedSections(merged).flatMap((id) => (idsIn(merged).includes(id) ? [] : questionCodes(base, id))),
    ]),
    sections: new Set([...idsIn(merged), ...namedSections(merged)]),
  }
  const mine = withReturned(versions.mine, { base, stays })
  const theirs = withReturned(versions.theirs, { base, stays })
  if (mine === versions.mine && theirs === versions.theirs) return merged
  return mergeOnce({ base, mine, theirs }, winner)
}

const questionCodes = ({ draft }: Content, id: string): string[] =>
  draft.sections.find((section) => section.id === id)?.questions.map(({ code }) => code) ?? []

/** The questions that contact details and scores refer to. */
const namedQuestions = ({ scoring, named }: Content): string[] => [
  ...scoring.questions.map(({ question }) => question),
  ...Object.values(named).filter((code) => typeof code === 'string'),
]

/** The sections that weights and bands refer to. */
const namedSections = ({ scoring }: Content): string[] => [
  ...scoring.sections.map(({ section }) => section),
  ...scoring.bands.flatMap(({ needs = [] }) => needs.map(({ section }) => section)),
]

type Staying = Readonly<{
  base: Content
  stays: Readonly<Record<'questions' | 'sections', ReadonlySet<string>>>
}>

/** One version with the questions and sections that it deleted and that stay, as if it had never deleted them. */
function withReturned(version: Content, { base, stays }: Staying): Content {
  const kept = new Set(idsIn(version))
  const sections = idsIn(base).filter((id) => !kept.has(id) && stays.sections.has(id))
  const deleted = questionsIn(base).filter(({ code }) => placeOf(version, code) === null)
  const returned = deleted.filter(({ code }) => stays.questions.has(code))
  if (returned.length + sections.length === 0) return version
  // What stays deleted was never there.
  const former = withoutQuestions(
    base,
    deleted.filter((one) => !returned.includes(one)),
  )
  const without = sections.reduce(
    (content, id) => removeSection(content, id)?.content ?? content,
    withoutQuestions(former, returned),
  )
  return mergeOnce({ base: without, mine: former, theirs: version }, 'theirs')
}

const withoutQuestions = (content: Content, questions: readonly Question[]): Content =>
  questions.reduce((rest, { code }) => removeQuestion(rest, code)?.content ?? rest, content)

function mergeOnce(versions: Versions<Content>, winner: Winner): Content {
  const { base, theirs } = versions
  const mine = withOwnNames(versions)
  const of = <T>(read: (content: Content) => T): T =>
    mergeChanges({ base: read(base), mine: read(mine), theirs: read(theirs) }, winner)
  return {
    draft: mergeDefinitions({ base: base.draft, mine: mine.draft, theirs: theirs.draft }, winner),
    scoring: of(({ scoring }) => scoring),
    named: of(({ named }) => named),
  }
}

/** What the builder remembers, after a merge: steps of undo and redo keep what the other person changed. */
export function mergeMemory({ chosen, history }: Memory, base: Content, theirs: Content): Memory {
  const merged = (steps: Memory['history']['past']) =>
    steps.map((step) => ({ ...step, content: mergeContent({ base, mine: step.content, theirs }) }))
  return { chosen, history: { past: merged(history.past), future: merged(history.future), last: null } }
}

/** With other codes and section IDs for what was added here, where the other person gave theirs to something else. */
function withOwnNames({ base, mine, theirs }: Versions<Content>): Content {
  const taken = questionsIn(mine).filter((question) => {
    const twin = placeOf(theirs, question.code)?.question
    return twin !== undefined && placeOf(base, question.code) === null && !isEqual(twin, question)
  })
  const renamed = taken.reduce((content, { code }) => {
    const codes = [...questionsIn(content), ...questionsIn(theirs)].map((question) => question.code)
    return renameCode(content, code, freeName(new Set(codes), code))?.content ?? content
  }, mine)
  return withOwnSections({ base, mine: renamed, theirs })
}

const byCode = (question: Question): [string, Question] => [question.code, question]
const idsIn = ({ draft }: Content): string[] => draft.sections.map(({ id }) => id)

function withOwnSections({ base, mine, theirs }: Versions<Content>): Content {
  const [former, other] = [idsIn(base), idsIn(theirs)]
  const taken = new Set([...idsIn(mine), ...other])
  const renamed = new Map<string, string>()
  for (const id of idsIn(mine)) {
    if (former.includes(id) || !other.includes(id)) continue
    const [one, twin] = [mine, theirs].map(({ draft }) => draft.sections.find((section) => section.id === id))
    if (isEqual(one, twin)) continue
    const next = freeName(taken, id.replace(/\d+$/, '') || id)
    renamed.set(id, next)
    taken.add(next)
  }
  if (renamed.size === 0) return mine
  const nameOf = (id: string) => renamed.get(id) ?? id
  const { draft, scoring } = mine
  const rename = <T extends { section: string }>(list: readonly T[]) =>
    list.map((one) => ({ ...one, section: nameOf(one.section) }))
  return {
    ...mine,
    draft: { ...draft, sections: draft.sections.map((one) => ({ ...one, id: nameOf(one.id) })) },
    scoring: {
      ...scoring,
      sections: rename(scoring.sections),
      bands: scoring.bands.map((band) => (band.needs ? { ...band, needs: rename(band.needs) } : band)),
    },
  }
}

/** Questions are merged apart from their sections, so that a moved one is the same. */
function mergeDefinitions(versions: Versions<Definition>, winner: Winner): Definition {
  const { base, mine, theirs } = versions
  const { questions, places, ...merged } = mergeChanges(
    { base: flatten(base), mine: flatten(mine), theirs: flatten(theirs) },
    winner,
  )
  const placesOf = new Map(Object.entries(places))
  const known = (winner === 'mine' ? [mine, theirs, base] : [theirs, mine, base]).map(flatten)
  const sectionOf = ({ code }: Question): string =>
    placesOf.get(code) ?? known.flatMap((one) => new Map(Object.entries(one.places)).get(code) ?? [])[0] ?? ''
  const used = new Set(questions.map(sectionOf))
  // A section that one person removed stays while it has questions that the other one added or changed.
  const kept = [...used].flatMap((id) => {
    if (merged.sections.some((section) => section.id === id)) return []
    return known.flatMap(({ sections }) => sections.find((section) => section.id === id) ?? []).slice(0, 1)
  })
  const sections = [...merged.sections, ...kept].map((section) => {
    const own = new Map(questions.filter((one) => sectionOf(one) === section.id).map(byCode))
    const codesIn = ({ sections: all }: Definition) =>
      all.find(({ id }) => id === section.id)?.questions.map(({ code }) => code) ?? []
    const order = mergeOrder({ base: codesIn(base), mine: codesIn(mine), theirs: codesIn(theirs) }, winner)
    const codes = new Set([...order, ...own.keys()])
    return { ...section, questions: [...codes].flatMap((code) => own.get(code) ?? []) }
  })
  return { ...merged, sections }
}

const flatten = ({ sections, ...definition }: Definition) => ({
  ...definition,
  sections: sections.map(({ questions: _questions, ...section }) => section),
  questions: sections.flatMap(({ questions }) => questions),
  /** The section of each question. */
  places: Object.fromEntries(
    sections.flatMap(({ id, questions }) => questions.map(({ code }): [string, string] => [code, id])),
  ),
})
