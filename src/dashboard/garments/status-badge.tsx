import type { GarmentRow } from '../../garment/to-garment-response.ts'
import type { DeliveryRow } from '../../webhook/delivery/conditions.ts'
import { Badge, type Tone } from '../parts/text.tsx'

const garmentTones: Readonly<Record<GarmentRow['status'], readonly [Tone, string]>> = {
  queuing: ['calm', 'Queuing'],
  processing: ['busy', 'Processing'],
  complete: ['good', 'Complete'],
  failed: ['bad', 'Failed'],
}

const deliveryTones: Readonly<Record<DeliveryRow['status'], readonly [Tone, string]>> = {
  pending: ['busy', 'Pending'],
  delivered: ['good', 'Delivered'],
  permanently_failed: ['bad', 'Permanently failed'],
}

export const GarmentStatus = ({ status }: { status: GarmentRow['status'] }) => {
  const [tone, text] = garmentTones[status]
  return <Badge tone={tone}>{text}</Badge>
}

export const DeliveryStatus = ({ status }: { status: DeliveryRow['status'] }) => {
  const [tone, text] = deliveryTones[status]
  return <Badge tone={tone}>{text}</Badge>
}

export const isActive = (status: GarmentRow['status']) => status === 'queuing' || status === 'processing'
