import { z } from 'zod'

/**
 * What an answer says about the person who sends a form. Names of ADF 1.0, so that a lead can be made from it: the question
 * that is the sender's email address, and so on.
 */
export const LEAD_FIELDS = [
  { value: 'firstName', label: 'First name' },
  { value: 'lastName', label: 'Last name' },
  { value: 'fullName', label: 'Full name' },
  { value: 'email', label: 'Email' },
  { value: 'phone', label: 'Phone' },
  { value: 'postalCode', label: 'ZIP or postal code' },
  { value: 'contactMethod', label: 'Preferred contact' },
  { value: 'contactTime', label: 'Best time to contact' },
  { value: 'comments', label: 'Comments' },
  { value: 'tradeVin', label: 'Trade-in VIN' },
  { value: 'tradeYear', label: 'Trade-in year' },
  { value: 'tradeMake', label: 'Trade-in make' },
  { value: 'tradeModel', label: 'Trade-in model' },
  { value: 'tradeMileage', label: 'Trade-in mileage' },
] as const
export type LeadField = (typeof LEAD_FIELDS)[number]['value']
const FIELDS = LEAD_FIELDS.map(({ value }) => value)

/** The code of the question by lead field. */
export const LeadFields = z.partialRecord(z.enum(FIELDS), z.string().max(60))
export type LeadFields = z.infer<typeof LeadFields>

/** How the sender of some answers can be reached. */
export type Sender = Readonly<{
  name: string | null
  email: string | null
  phone: string | null
  comments: string | null
}>

/** Reads the sender from answers in stored form. */
export function senderOf(answers: Readonly<Record<string, unknown>>, fields: LeadFields): Sender {
  const text = (field: LeadField): string | null => {
    const code = fields[field]
    const answer = code === undefined ? undefined : answers[code]
    return typeof answer === 'string' && answer !== '' ? answer : null
  }
  const parts = [text('firstName'), text('lastName')].filter((part) => part !== null)
  return {
    name: text('fullName') ?? (parts.length > 0 ? parts.join(' ') : null),
    email: text('email'),
    phone: text('phone'),
    comments: text('comments'),
  }
}
