import type { GarmentRow } from '../../garment/to-garment-response.ts'
import type { DeliveryRow } from '../../webhook/delivery/conditions.ts'
import { StatusBadge, type StatusNames } from '../parts/text.tsx'

const garmentNames: StatusNames<GarmentRow['status']> = {
  queuing: ['calm', 'Queuing'],
  processing: ['busy', 'Processing'],
  complete: ['good', 'Complete'],
  failed: ['bad', 'Failed'],
}

const deliveryNames: StatusNames<DeliveryRow['status']> = {
  pending: ['busy', 'Pending'],
  delivered: ['good', 'Delivered'],
  permanently_failed: ['bad', 'Permanently failed'],
}

export const GarmentStatus = ({ status }: { status: GarmentRow['status'] }) => (
  <StatusBadge names={garmentNames} status={status} />
)

export const DeliveryStatus = ({ status }: { status: DeliveryRow['status'] }) => (
  <StatusBadge names={deliveryNames} status={status} />
)

export const isActive = (status: GarmentRow['status']) => status === 'queuing' || status === 'processing'
