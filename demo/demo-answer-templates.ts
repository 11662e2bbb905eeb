import type { Database } from '#server/database/tenant-transaction.ts'

const TEMPLATES = [
  {
    name: 'Still available',
    subject: 'The {vehicle} is here',
    text: 'Hello {firstName},\n\nyes, the {vehicle} (stock number {stock}) is still here. {price}\n\nWhen would you like to see it? I can have it ready today or tomorrow.\n\n{salesperson}\n{lot}',
  },
  {
    name: 'Confirm an appointment',
    subject: 'Your appointment at {lot}',
    text: 'Hello {firstName},\n\nI look forward to seeing you on {appointment}. The {vehicle} will be ready for a test drive. Please bring your driver license.\n\n{salesperson}\n{lot}',
  },
  {
    name: 'Trade-in: what we need',
    subject: null,
    text: 'Hello {firstName},\n\nthank you for the details of your vehicle. To make an offer, we need ten minutes with it, the title and both keys. Which day suits you?\n\n{salesperson}\n{lot}',
  },
  {
    name: 'No answer by phone',
    subject: null,
    text: 'Hello {firstName},\n\nI tried to call you about the {vehicle}. When can I reach you, or would you rather write?\n\n{salesperson}\n{lot}',
  },
]

/** Texts that salespeople insert into their answers. */
export async function addDemoAnswerTemplates(db: Database): Promise<void> {
  await db.insertInto('leadAnswerTemplates').values(TEMPLATES).execute()
}
