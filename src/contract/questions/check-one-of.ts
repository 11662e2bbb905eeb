import type { Definition, Question, Section } from './definition.ts'
import type { Faults, Path } from './definition-fault.ts'
import { MAX_ONE_OF } from './limits.ts'
import { canBeOneOf, groupNameOf } from './one-of.ts'
import { isRuleName } from './check-rules.ts'

/** Reports faults of the questions of which one must be answered. */
export function checkOneOf({ sections }: Definition, faults: Faults): void {
  sections.forEach((section, sectionAt) => {
    section.questions.forEach((question, at) => {
      if (question.oneOf === undefined) return
      const path = ['sections', sectionAt, 'questions', at]
      if (checkMember(question, path, faults)) checkGroup(section, question, at, path, faults)
    })
  })
}

/** @returns whether the question can be in a group */
function checkMember(question: Question, path: Path, faults: Faults): boolean {
  const { oneOf = '', obligation = 'voluntary', requiredIf = '', obligations = [] } = question
  const place = [...path, 'oneOf']
  if (!canBeOneOf(question)) {
    faults.error(place, `${whatIs(question)} can't be one of several of which one must be answered.`)
    return false
  }
  if (!isRuleName(oneOf)) {
    faults.error(place, 'The name of a group has letters, digits and _, and starts with a letter.')
    return false
  }
  const isObliged =
    obligation !== 'voluntary' ||
    requiredIf.trim() !== '' ||
    obligations.some((rule) => rule.obligation !== 'voluntary')
  if (isObliged) faults.error(place, "One of several is enough, so this question can't be required itself.")
  return true
}

function whatIs({ type, isHidden }: Question): string {
  if (type === 'note') return 'A note'
  if (type === 'computed') return 'A computed value'
  return isHidden === true ? 'A hidden field' : 'A consent'
}

/** What is wrong with the whole group is reported once, where it can be changed. */
function checkGroup(
  { questions }: Section,
  question: Question,
  at: number,
  path: Path,
  faults: Faults,
): void {
  const name = groupNameOf(question)
  const place = [...path, 'oneOf']
  const members = questions.flatMap((one, index) => (groupNameOf(one) === name ? [index] : []))
  const number = members.indexOf(at)
  if (members.length === 1)
    faults.error(place, 'Choose another question of which one must be answered, or make this one required.')
  if (number === MAX_ONE_OF) faults.error(place, `At most ${MAX_ONE_OF} questions can be alternatives.`)
  const before = members[number - 1]
  if (before !== undefined && questions.slice(before + 1, at).some(({ isHidden }) => isHidden !== true))
    faults.error(place, 'Move this question next to the others of which one must be answered.')
  const first = questions.findIndex(
    (one) => groupNameOf(one) === name && one.messages?.required !== undefined,
  )
  if (first !== -1 && first < at && question.messages?.required !== undefined)
    faults.warn(
      [...path, 'messages', 'required'],
      'This message is never shown: another question of the group has one.',
    )
}
