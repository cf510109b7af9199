import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Rethrows a handler's error unchanged, since its code decides between a retry and a dead letter. Nest itself would
 * turn every error into "Internal server error". `@OnEvent` applies this filter.
 */
@Catch()
export class RethrowFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
