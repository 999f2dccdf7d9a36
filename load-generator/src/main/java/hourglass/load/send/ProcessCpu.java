package hourglass.load.send;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU time of this process. */
final class ProcessCpu {
  private ProcessCpu() {}

  static double seconds() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
        ? os.getProcessCpuTime() / 1e9
        : Double.NaN;
  }
}
