import { Button, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import type { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import { namePhoto } from './photo-labels.ts'

type Props = { photo: Photo; onAnswer: (alt: string | null) => void }

/** Asks for the alternative text of a photo. */
export function PhotoTextForm({ photo, onAnswer }: Props) {
  const [alt, setAlt] = useState(photo.alt)
  function decide(event: SubmitEvent) {
    event.preventDefault()
    onAnswer(alt.trim())
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <p className="fc-small fc-soft">
        <bdi>{namePhoto({ ...photo, alt: '' })}</bdi>
      </p>
      <TextInput
        label="Alternative text"
        description="Read aloud to people who can't see the photo. Describe the view and any details."
        data-autofocus
        maxLength={300}
        autoComplete="off"
        value={alt}
        onChange={(event) => setAlt(event.currentTarget.value)}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Save text</Button>
      </div>
    </form>
  )
}
