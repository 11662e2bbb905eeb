import { MultiSelect } from '@mantine/core'
import { capitalize } from '#contract/capitalize.ts'
import { MAX_ONE_OF } from '#contract/questions/limits.ts'
import { textIn } from '#contract/questions/texts.ts'
import { alternativesTo, withAlternatives } from './alternatives.ts'
import type { Builder, FieldsProps } from './use-builder.ts'

/** The questions that can be answered instead of this one: at least one of them must be. */
export function AlternativesField({ builder, question }: FieldsProps) {
  const { content, language, kit, edit } = builder
  const { languages } = content.draft
  const { possible, chosen } = alternativesTo(content, question)
  const about = describeAlternatives(
    { kit },
    { canChoose: possible.length > 0, hasChosen: chosen.length > 0 },
  )
  return (
    <MultiSelect
      label="Alternatives"
      description={about}
      placeholder={chosen.length === 0 ? 'None' : ''}
      disabled={possible.length === 0}
      data={possible.map(({ code, title }) => ({
        value: code,
        label: textIn(title, language, languages) || code,
      }))}
      value={chosen.map(({ code }) => code)}
      maxValues={MAX_ONE_OF - 1}
      clearable
      onChange={(codes) =>
        edit(withAlternatives(content, question.code, codes), `alternatives of ${question.code}`)
      }
    />
  )
}

function describeAlternatives(
  { kit: { noun, readers } }: Pick<Builder, 'kit'>,
  { canChoose, hasChosen }: Readonly<{ canChoose: boolean; hasChosen: boolean }>,
): string {
  if (!canChoose) return `Add another question to this ${noun} to make it an alternative.`
  if (!hasChosen) return 'Questions that can be answered instead of this one.'
  return `${capitalize(readers)} must answer this question or at least one of these. They stay next to each other.`
}
