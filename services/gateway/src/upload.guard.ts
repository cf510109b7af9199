import { type CanActivate, Injectable } from '@nestjs/common';
import { Admission } from './admission.ts';

/** Refuses uploads while requests are refused, so that they do not use the room that is left for open requests. */
@Injectable()
export class UploadGuard implements CanActivate {
  constructor(private readonly admission: Admission) {}

  /** @throws ReinsError `service_unavailable` */
  canActivate(): boolean {
    this.admission.assertAvailable('uploads');
    return true;
  }
}
