import torch

x = torch.zeros(1, device="cuda")
y = torch.zeros(1, device="cuda")
for i0 in range(3):
    x = [x]
    for i1 in range(3):
        x = [x]
        for i2 in range(3):
            x = [x]
            for i3 in range(3):
                x = [x]
                for i4 in range(3):
                    x = [x]
                    for i5 in range(3):
                        x = [x]
                        for i6 in range(3):
                            x = [x]
                            for i7 in range(3):
                                x = [x]
                                for i8 in range(3):
                                    x = [x]
                                    for i9 in range(3):
                                        x = [x]
                                        for i10 in range(3):
                                            x = [x]
                                            for i11 in range(3):
                                                x = [x]
                                                for i12 in range(3):
                                                    x = [x]
                                                    for i13 in range(3):
                                                        x = [x]
                                                        for i14 in range(3):
                                                            x = [x]
                                                            for i15 in range(3):
                                                                x = [x]
                                                                for i16 in range(3):
                                                                    x = [x]
                                                                    for i17 in range(3):
                                                                        x = [x]
                                                                        for i18 in range(3):
                                                                            x = [x]
                                                                            for i19 in range(3):
                                                                                x = [x]
                                                                                y.item()  # sync: host-read
