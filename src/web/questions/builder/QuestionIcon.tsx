import {
  IconAlignLeft,
  IconAt,
  IconBuilding,
  IconHome,
  IconLayoutGrid,
  IconPaperclip,
  IconTable,
  IconUser,
  IconCalendar,
  IconCar,
  IconChecks,
  IconCircleDot,
  IconCursorText,
  IconHash,
  IconInfoCircle,
  IconLink,
  IconMapPin,
  IconMathFunction,
  IconPhone,
  IconShieldCheck,
  IconStar,
  IconToggleLeft,
  type TablerIcon,
} from '@tabler/icons-react'
import { createElement } from 'react'
import type { QuestionType } from '#contract/questions/definition.ts'

const ICONS: Partial<Record<QuestionType, TablerIcon>> = {
  longText: IconAlignLeft,
  email: IconAt,
  phone: IconPhone,
  url: IconLink,
  vin: IconCar,
  postalCode: IconMapPin,
  number: IconHash,
  date: IconCalendar,
  boolean: IconToggleLeft,
  single: IconCircleDot,
  multiple: IconChecks,
  rating: IconStar,
  consent: IconShieldCheck,
  note: IconInfoCircle,
  computed: IconMathFunction,
  matrix: IconLayoutGrid,
  table: IconTable,
  file: IconPaperclip,
  address: IconHome,
  person: IconUser,
  facility: IconBuilding,
}

/** The icon of a question type. */
export function QuestionIcon({ type }: { type: QuestionType }) {
  return createElement(ICONS[type] ?? IconCursorText, { size: 16, stroke: 1.6, 'aria-hidden': true })
}
