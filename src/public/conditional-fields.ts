import { shownName } from '#contract/marketing/forms/form-body.ts'
import type { CompiledDefinition, CompiledQuestion } from '#contract/questions/compile.ts'
import { inGroups, isEmailOrPhone } from '#contract/questions/one-of.ts'
import type { SectionRules } from '#contract/questions/section-rules.ts'
import { type FieldContext, groupErrorId, groupProblemOf } from './field-parts.ts'
import { flag, html, type Html, jsonData, type Part } from './html.ts'
import { questionField } from './question-fields.ts'

/**
 * The fields of a step. A question that depends on answers of the same step is in a part of its own; while it isn't asked, in a
 * template, which browsers neither show nor send, and from which the script takes it. Every question that isn't always asked
 * says by a hidden field that it was: one that an answer leads to is shown before the answer is accepted.
 */
export function stepFields(
  {
    compiled,
    step,
    visible,
    context,
  }: { compiled: CompiledDefinition; step: string; visible: readonly string[]; context: FieldContext },
  dependent: ReadonlySet<string>,
): { parts: Part[]; hasFiles: boolean; hasRows: boolean } {
  const asked = new Set(visible)
  const shown = compiled.questions.filter(
    ({ section, question: { code, isHidden, type } }) =>
      section.id === step &&
      (asked.has(code) || dependent.has(code) || (isHidden === true && type !== 'computed')),
  )
  const has = (wanted: string): boolean =>
    shown.some(({ question: { type, isHidden } }) => type === wanted && isHidden !== true)
  const partOf = (one: CompiledQuestion): Html => {
    const { code } = one.question
    const isAsked = asked.has(code)
    const field = questionField(one.question, isAsked ? context : asIfAsked(one, context))
    const mark = isConditional(one) && html`<input type="hidden" name="${shownName(code)}" value="1" />`
    if (!dependent.has(code)) return html`${mark}${field}`
    const part = html`<div class="field" data-question="${code}">${mark}${field}</div>`
    return isAsked ? part : html`<template>${part}</template>`
  }
  const isUnseen = ({ question: { isHidden } }: CompiledQuestion): boolean => isHidden === true
  const seen = new Map(shown.filter((one) => !isUnseen(one)).map((one) => [one.question.code, one]))
  const fields = inGroups([...seen.keys()], compiled.groups).map(({ group, codes }): Part => {
    const members = codes.flatMap((code) => seen.get(code) ?? [])
    const all = members.map(partOf)
    return group === null || all.length === 1
      ? all
      : oneOfFields(group.name, { members, fields: all, asked, context })
  })
  const parts = [shown.filter(isUnseen).map(partOf), ...fields]
  return { parts, hasFiles: has('file'), hasRows: has('table') }
}

/** Questions of which one must be answered, under one title, with what is wrong with them. While only one is asked, it has none. */
function oneOfFields(
  name: string,
  {
    members,
    fields,
    asked,
    context,
  }: {
    members: readonly CompiledQuestion[]
    fields: readonly Html[]
    asked: ReadonlySet<string>
    context: FieldContext
  },
): Html {
  const questions = members.map(({ question }) => question)
  const shown = questions.filter(({ code }) => asked.has(code))
  const [first] = shown
  const problem = first === undefined ? null : groupProblemOf(first, context)
  const id = groupErrorId(name)
  const { text } = context
  return html`<fieldset
    class="field"
    data-one-of="${name}"
    ${flag('data-alone', shown.length < 2)}${problem !== null && html` aria-describedby="${id}"`}
  >
    <legend class="label">${text(isEmailOrPhone(questions) ? 'emailOrPhone' : 'oneOf')}</legend>
    ${problem !== null && html`<p class="error" id="${id}">${problem.message}</p>`} ${fields}
  </fieldset>`
}

/** Whether visitors answer a question that is only asked after certain answers. */
export function isConditional({ question, section }: CompiledQuestion): boolean {
  const { type, isHidden } = question
  if (isHidden === true || type === 'note' || type === 'computed') return false
  return [question.visibleIf, section.visibleIf].some((rule) => rule !== undefined && rule.trim() !== '')
}

/** A question that isn't asked yet may be required as soon as it is. */
function asIfAsked({ question }: CompiledQuestion, context: FieldContext): FieldContext {
  const { code, obligation = 'voluntary' } = question
  return obligation === 'voluntary' ? context : { ...context, required: new Set([...context.required, code]) }
}

/** What the script needs to show and hide the questions of a step, and where it says so to people who can't see it. */
export function rulesData(
  rules: SectionRules,
  { context, zone, rulesScript }: { context: FieldContext; zone: string; rulesScript: string | null },
): Html | null {
  if (rulesScript === null) return null
  const { language, seller, page } = context
  return html`${jsonData({ rules, options: { language, zone, seller } })}
    <p
      class="hidden"
      role="status"
      data-rules="${rulesScript}"
      data-appeared="${page('appeared', '{n}')}"
      data-disappeared="${page('disappeared', '{n}')}"
    ></p>`
}
