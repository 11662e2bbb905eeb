import type { ComponentType } from 'react'
import type { SettingChange } from '#contract/pricing/rules/rule-requests.ts'

/** Shows how a change would move the totals that buyers see. Pricing has it. */
export type SettingEffectOf = ComponentType<{ change: SettingChange | null }>
