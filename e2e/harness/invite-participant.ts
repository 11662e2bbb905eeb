import type { Page } from 'playwright-core'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { callAs } from './carbon-year.ts'

const en = (text: string) => ({ en: text })
const choice = (value: string, text: string) => ({ value, title: en(text) })

/** A site check with the types of questions that need the most room. */
const SITE_CHECK: Definition = {
  languages: ['en', 'es'],
  sections: [
    {
      id: 'site',
      title: { en: 'Site', es: 'Instalación' },
      questions: [
        {
          type: 'text',
          code: 'contact',
          title: { en: 'Who knows the site best?', es: '¿Quién conoce mejor la instalación?' },
          obligation: 'required',
        },
        { type: 'longText', code: 'changes', title: en('What has changed since last year?') },
        {
          type: 'multiple',
          code: 'refrigerants',
          title: en('Which refrigerants were refilled?'),
          choices: [choice('r1234yf', 'R-1234yf'), choice('r134a', 'R-134a'), choice('none', 'None')],
        },
      ],
    },
    {
      id: 'energy',
      title: { en: 'Energy and refrigerants', es: 'Energía y refrigerantes' },
      questions: [
        {
          type: 'number',
          code: 'power',
          title: en('How much electricity did this site buy in 2026?'),
          help: en('The sum of your bills, January to December.'),
          unit: 'kWh',
          obligation: 'required',
        },
        {
          type: 'single',
          code: 'leaks',
          title: en('Were all leak checks done in time?'),
          help: en('Systems with 50 lb or more, every year.'),
          obligation: 'required',
          choices: [choice('yes', 'Yes'), choice('no', 'No'), choice('none', 'We have no such system')],
        },
        {
          type: 'table',
          code: 'meters',
          title: en('List the meters of this site.'),
          columns: [
            { type: 'text', code: 'meter', title: en('Meter') },
            { type: 'number', code: 'kwh', title: en('Used'), unit: 'kWh', total: 'total_kwh' },
            { type: 'boolean', code: 'solar', title: en('Solar') },
          ],
        },
        {
          type: 'matrix',
          code: 'training',
          title: en('Who was trained this year?'),
          rows: [
            { code: 'service', title: en('Service technicians') },
            { code: 'parts', title: en('Parts counter') },
          ],
          choices: [choice('all', 'Everyone'), choice('some', 'Some'), choice('none', 'No one')],
        },
        { type: 'file', code: 'records', title: en('Upload the service records') },
      ],
    },
  ],
}

/**
 * A person who was invited to answer for the organization of the user signed in on the page: a site check, or a questionnaire
 * from a template.
 */
export async function inviteParticipant(page: Page, name = 'Tom Becker', template?: string) {
  const organizationId = await organizationOf(page)
  // Names are unique.
  const key = `site-check-${crypto.randomUUID().slice(0, 8)}`
  const title = `Site check ${key.slice(-8)}`
  const named = { name: key, key, organizationId }
  const draft = await (template === undefined
    ? callAs(page, questionnaires.add, { ...named, draft: SITE_CHECK })
    : callAs(page, questionnaires.addFromTemplate, { ...named, template }))
  const questionnaire = await callAs(page, questionnaires.publish, { id: draft.id, version: draft.version })
  const assessment = await callAs(page, assessments.add, {
    name: title,
    questionnaireId: questionnaire.id,
    questionnaireNumber: 1,
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
    opensOn: '2026-01-01',
    dueOn: '2026-12-20',
  })
  const { changed } = await callAs(page, assessmentTargets.add, {
    assessmentId: assessment.id,
    targets: [{ organizationId }],
  })
  const targetId = changed[0] ?? ''
  await callAs(page, assessments.open, { id: assessment.id, isIncomplete: true })
  const [added] = await callAs(page, assessmentParticipants.add, {
    people: [{ targetId, name, email: `${key}@people.example`, role: 'owner' }],
  })
  if (added === undefined) throw new Error('The participant was not added.')
  return { targetId, title, link: await linkOf(page, added.id) }
}

/** The organization of the session, from its token. */
async function organizationOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { accessToken } = JSON.parse(localStorage.getItem('token') ?? '{}')
    return String(
      JSON.parse(atob(accessToken.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).organizationId,
    )
  })
}

/** A new link of a person at a target, as a path. */
export async function linkOf(page: Page, id: string): Promise<string> {
  const { url } = await callAs(page, assessmentParticipants.copyLink, { id })
  const { pathname, hash } = new URL(url)
  return `${pathname}${hash}`
}
